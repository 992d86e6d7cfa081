import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { eventually, type TestGateway, testGateway } from '../support/gateway.ts'

interface Question {
  readonly request_id: string
  readonly account: string
  readonly model: string
  readonly stage: string
  readonly text: string
}

/** A webhook that allows texts without `bad`, and answers nothing to texts with `silent`. */
async function webhook() {
  const questions: Question[] = []
  const server = http.createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      const question = JSON.parse(Buffer.concat(parts).toString()) as Question
      questions.push(question)
      if (question.text.includes('silent')) return
      const allow = !question.text.includes('bad')
      res.end(JSON.stringify(allow ? { allow } : { allow, reason: 'not polite' }))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/judge`,
    questions,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const chunks = (...texts: readonly string[]) =>
  texts.map(
    content => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`,
  )
const END = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`

/** Streams these words, one write each, and the end if `isWhole`. */
const words =
  (texts: readonly string[], isWhole = true): ScriptedBackend['script'] =>
  async res => {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const part of chunks(...texts)) {
      res.write(part)
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    if (isWhole) res.end(END)
  }

const user = (content: string, more: JsonObject = {}) => ({
  model: 'm',
  max_tokens: 50,
  messages: [{ role: 'user', content }],
  ...more,
})

/** The text of a chat stream. */
const textOf = (events: string) => [...events.matchAll(/"content":"([^"]*)"/g)].map(([, text]) => text).join('')

describe('guard', () => {
  let hook: Awaited<ReturnType<typeof webhook>>
  let backend: ScriptedBackend
  let judge: ScriptedBackend
  let gateway: TestGateway

  const start = async (options: JsonObject, more: JsonObject = {}, account: JsonObject = {}) => {
    const plugins = { base: 'default', options: { guard: { timeout_ms: 400, hold_tokens: 4, ...options } } }
    const capabilities = { tools: true, chat_completions: { n: true, tools: true, streaming_tools: true } }
    const served = (id: string, url: string) => ({
      id,
      max_model_len: 8192,
      capabilities,
      backends: [{ url, model: id, engine: 'vllm' }],
    })
    const models = [served('m', backend.url), served('judge', judge.url)]
    gateway = await testGateway({ backends: [], account, more: { models, plugins, ...more } })
  }

  beforeEach(async () => {
    hook = await webhook()
    backend = await scriptedBackend()
    judge = await scriptedBackend()
  })

  afterEach(async () => {
    await gateway?.close()
    await backend.close()
    await judge.close()
    hook.close()
  })

  describe('with a webhook', () => {
    it('asks about a request before a backend is called, on each API', async () => {
      await start({ webhook: hook.url, check: ['input'] })
      expect((await gateway.post('/v1/chat/completions', user('A good word.'))).status).equal(200)
      const [asked] = hook.questions
      expect(asked).include({ model: 'm', stage: 'input', text: 'A good word.' })
      expect(asked!.request_id).match(/^req_/)
      expect(asked!.account).a('string')
      const calls = backend.requests.length
      const bodies: readonly (readonly [string, JsonObject])[] = [
        ['/v1/chat/completions', user('A bad word.')],
        ['/v1/messages', user('A bad word.')],
        ['/v1/completions', { model: 'm', prompt: 'A bad word.' }],
        ['/v1/responses', { model: 'm', input: 'A bad word.' }],
      ]
      for (const [path, body] of bodies) {
        const refused = await gateway.post(path, body)
        expect(refused.status, path).equal(400)
        expect(await refused.json(), path).nested.include({
          'error.code': 'content_blocked',
          'error.type': 'invalid_request_error',
          'error.message': 'The content filter does not allow this request: not polite.',
        })
      }
      expect(backend.requests).length(calls)
      expect(await gateway.metric('sluiceway_guard_verdicts_total', 'verdict="blocked"')).equal(4)
      expect(await gateway.metric('sluiceway_guard_verdicts_total', 'verdict="allowed"')).equal(1)
    })

    it('passes allowed replies on unchanged, window by window', async () => {
      await start({ webhook: hook.url, check: ['output'] })
      const texts = ['one two three four', ' five six seven', ' eight', ' nine ten']
      backend.script = words(texts)
      const events = await (await gateway.post('/v1/chat/completions', user('Hi', { stream: true }))).text()
      expect(textOf(events)).equal(texts.join(''))
      expect(events)
        .contain('"finish_reason":"stop"')
        .and.match(/data: \[DONE\]\n\n$/)
      expect(hook.questions.length).least(2)
      expect(hook.questions.every(({ stage }) => stage === 'output')).equal(true)
      expect(hook.questions.at(-1)!.text).contain('nine ten')
    })

    it('ends a stream with content_filter, and stops the engine', async () => {
      await start({ webhook: hook.url, check: ['output'] })
      backend.script = words(['one two three four', ' five bad six', ' seven'], false)
      const events = await (await gateway.post('/v1/chat/completions', user('Hi', { stream: true }))).text()
      expect(textOf(events)).equal('one two three four')
      expect(events)
        .contain('"finish_reason":"content_filter"')
        .and.match(/data: \[DONE\]\n\n$/)
      await eventually(() => backend.aborted.length > 0, 'the backend is left')
      await eventually(() => gateway.records().length > 0, 'a record')
      expect(gateway.records()[0]).include({ finish_reason: 'content_filter', status_code: 200 })
    })

    it('finds what begins in one window and ends in the next', async () => {
      await start({ webhook: hook.url, check: ['output'] })
      backend.script = words(['one two three, b', 'ad five six seven'])
      const events = await (await gateway.post('/v1/chat/completions', user('Hi', { stream: true }))).text()
      expect(textOf(events)).equal('one two three, b')
      expect(events).contain('"finish_reason":"content_filter"')
    })

    it('judges a JSON reply, each choice of it, on each API', async () => {
      await start({ webhook: hook.url, check: ['output'] })
      backend.script = reply('Something bad.')
      const chat = (await (await gateway.post('/v1/chat/completions', user('Hi'))).json()) as JsonObject
      expect(chat).nested.include({ 'choices[0].finish_reason': 'content_filter' })
      expect(JSON.stringify(chat)).not.contain('Something')
      const messages = await gateway.post('/v1/messages', user('Hi'))
      expect(messages.status).equal(200)
      expect(await messages.text()).not.contain('Something')
      const responses = await gateway.post('/v1/responses', { model: 'm', input: 'Hi' })
      expect(await responses.json()).nested.include({
        status: 'incomplete',
        'incomplete_details.reason': 'content_filter',
      })
    })

    it('judges whole tool calls', async () => {
      await start({ webhook: hook.url, check: ['output'] })
      const call = (id: string, args: string) => ({ id, type: 'function', function: { name: 'look', arguments: args } })
      const choice = (args: string) => ({
        index: 0,
        message: { role: 'assistant', content: null, tool_calls: [call('call_1', args)] },
        finish_reason: 'tool_calls',
      })
      const asking = user('Hi', {
        tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }],
      })
      for (const [word, finish] of [
        ['good', 'tool_calls'],
        ['bad', 'content_filter'],
      ] as const) {
        backend.script = res => {
          res.writeHead(200, { 'content-type': 'application/json' })
          res.end(JSON.stringify({ choices: [choice(`{"word":"${word}"}`)] }))
        }
        const answer = (await (await gateway.post('/v1/chat/completions', asking)).json()) as JsonObject
        expect(answer).nested.include({ 'choices[0].finish_reason': finish })
        expect(hook.questions.at(-1)!.text).equal(`{"name":"look","arguments":"{\\"word\\":\\"${word}\\"}"}`)
      }
    })

    it('without a verdict: closed refuses and stops, open passes', async () => {
      await start({ webhook: hook.url })
      const refused = await gateway.post('/v1/chat/completions', user('A silent word.'))
      expect(refused.status).equal(503)
      expect(await refused.json()).nested.include({ 'error.code': 'content_blocked' })
      backend.script = reply('A silent word.')
      const stopped = await (await gateway.post('/v1/chat/completions', user('Hi'))).json()
      expect(stopped).nested.include({ 'choices[0].finish_reason': 'content_filter' })
      expect(await gateway.metric('sluiceway_guard_verdicts_total', 'verdict="failed"')).equal(2)
      await gateway.close()

      await start({ webhook: hook.url, on_failure: 'open' })
      const passed = await (await gateway.post('/v1/chat/completions', user('A silent word.'))).json()
      expect(passed).nested.include({ 'choices[0].finish_reason': 'stop' })
    })

    it('never sends text under zero data retention, unless it is marked for it', async () => {
      const zdr = { capabilities: { zdr: {} } }
      const models = [
        {
          id: 'm',
          max_model_len: 8192,
          ...zdr,
          backends: [{ url: backend.url, model: 'm', engine: 'vllm', zdr: true }],
        },
      ]
      const headers = { 'service-zdr': 'required' }
      await start({ webhook: hook.url }, { models })
      const refused = await gateway.post('/v1/chat/completions', user('Hi'), { headers })
      expect(refused.status).equal(400)
      expect(hook.questions).length(0)
      await gateway.close()

      await start({ webhook: hook.url, zdr: true }, { models })
      expect((await gateway.post('/v1/chat/completions', user('Hi'), { headers })).status).equal(200)
      expect(hook.questions.length).least(2)
    })

    it('ends with its client', async () => {
      await start({ webhook: hook.url, timeout_ms: 60_000 })
      const abort = new AbortController()
      const asked = gateway.post('/v1/chat/completions', user('A silent word.'), { signal: abort.signal })
      await eventually(() => hook.questions.length > 0, 'a question')
      abort.abort()
      await asked.catch(() => {})
      await eventually(() => gateway.records().length > 0, 'a record')
      expect(gateway.records()[0]).include({ status_code: 499 })
      expect(backend.requests).length(0)
    })
  })

  describe('with a model', () => {
    const judging: ScriptedBackend['script'] = (res, seen, req) => {
      const question = JSON.parse((seen.body.messages as JsonObject[])[1]!.content as string) as Question
      return reply(
        `\`\`\`json\n${JSON.stringify({ allow: !question.text.includes('bad'), reason: 'not polite' })}\n\`\`\``,
      )(res, seen, req)
    }

    it('asks by a request of its own: a record of the operator, no limit of the customer', async () => {
      judge.script = judging
      const plan = { requests: { limit: 2, window: '1d' }, concurrency: 1 }
      await start({ model: 'judge' }, { plans: { small: plan } }, { plan: 'small' })
      expect((await gateway.post('/v1/chat/completions', user('A good word.'))).status).equal(200)
      const refused = await gateway.post('/v1/chat/completions', user('A bad word.'))
      expect(refused.status).equal(400)
      expect(await refused.json()).nested.include({ 'error.code': 'content_blocked' })
      await eventually(() => gateway.records().length === 5, 'records')
      const own = gateway.records().filter(({ model_resolved }) => model_resolved === 'judge')
      expect(own).length(3)
      for (const record of own)
        expect(record).include({ account_id: 'operator', surface: 'internal', status_code: 200, user_id: null })
      expect(await gateway.metric('sluiceway_requests_total', 'surface="internal"')).equal(3)
      expect(await gateway.metric('sluiceway_guard_verdicts_total', 'verdict="failed"')).equal(0)
    })

    it('under zero data retention needs a backend that is marked for it', async () => {
      judge.script = judging
      const served = (id: string, url: string, zdr: boolean) => ({
        id,
        max_model_len: 8192,
        capabilities: { zdr: {} },
        backends: [{ url, model: id, engine: 'vllm', zdr }],
      })
      const headers = { 'service-zdr': 'required' }
      await start({ model: 'judge' }, { models: [served('m', backend.url, true), served('judge', judge.url, false)] })
      expect((await gateway.post('/v1/chat/completions', user('Hi'), { headers })).status).equal(400)
      expect(judge.requests).length(0)
      await gateway.close()

      await start({ model: 'judge' }, { models: [served('m', backend.url, true), served('judge', judge.url, true)] })
      expect((await gateway.post('/v1/chat/completions', user('Hi'), { headers })).status).equal(200)
      expect(
        gateway
          .records()
          .filter(({ account_id }) => account_id === 'operator')
          .every(({ zdr }) => zdr),
      ).equal(true)
    })
  })
})
