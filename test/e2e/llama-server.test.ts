/**
 * The gateway in front of a real engine: llama.cpp's server, started with only `--upstream`. Runs if LLAMA_SERVER is
 * the path of the program (docs/ENGINES.md names the tested version). Its model has random weights, so its texts have
 * no meaning, and the tests check everything else.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { expect } from 'chai'
import OpenAI from 'openai'
import type { JsonObject } from '../../lib/base/json.ts'
import { PROFILES } from '../../lib/config/profile.ts'
import { probeBackend } from '../../lib/engines/probe/probe.ts'
import { Cli } from '../support/cli.ts'
import { eventually } from '../support/gateway.ts'
import { type LlamaServer, startLlamaServer, WINDOW } from '../support/llama-server.ts'

const program = process.env.LLAMA_SERVER

const HELLO = [{ role: 'user' as const, content: 'Hi' }]
/**
 * `<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n`: a token per letter and punctuation
 * mark.
 */
const HELLO_TOKENS = 27
const CITY = {
  type: 'object' as const,
  properties: { city: { type: 'string', enum: ['Rome', 'Oslo'] } },
  required: ['city'],
  additionalProperties: false,
}
/** At temperature 0 the model generates until its limit. */
const ENDLESS = { temperature: 0, max_tokens: 8000 }
/** Seeds that are tried until the model shows a behaviour, such as a call that ends before the limit. */
const SEEDS = Array.from({ length: 12 }, (_, index) => index)

describe('a real llama-server behind --upstream', function () {
  if (program === undefined) {
    it('runs where the environment variable LLAMA_SERVER is the path of the program')
    return
  }
  this.retries(0)
  let directory: string
  let server: LlamaServer
  let gateway: Cli
  let url: string
  let key: string
  let openai: OpenAI
  let anthropic: Anthropic

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'sluiceway-'))
    server = await startLlamaServer(program)
    const argv = ['serve', '--upstream', server.url, '--port', '0', '--admin-port', '0']
    gateway = new Cli(argv, { cwd: directory })
    url = (await gateway.match(/Gateway\s+(http:\S+)\/v1/))[1]!
    key = (await gateway.match(/API key\s+(\S+)/))[1]!
    openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
    anthropic = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 })
  })

  after(async () => {
    gateway?.child.kill('SIGKILL')
    await gateway?.ended
    await server?.close()
    rmSync(directory, { recursive: true, force: true })
  })

  function post(path: string, body: JsonObject, signal?: AbortSignal): Promise<Response> {
    return fetch(url + path, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'tiny', ...body }),
      ...(signal !== undefined && { signal }),
    })
  }

  async function reply(
    path: string,
    body: JsonObject,
  ): Promise<{ status: number; headers: Headers; json: JsonObject }> {
    const answer = await post(path, body)
    return { status: answer.status, headers: answer.headers, json: (await answer.json()) as JsonObject }
  }

  it('lists its model with what it can do', async () => {
    const [card] = (await openai.models.list()).data
    expect(card).deep.include({ id: 'tiny', max_model_len: WINDOW })
    const { capabilities } = (card as unknown as { service: { capabilities: JsonObject } }).service
    expect(capabilities).deep.include({ vision: false, tools: true, reasoning: true })
    expect(capabilities.chat_completions).deep.include({ grammar: true, regex: false, echo: false, suffix: false })
  })

  it('chats, whole and streamed, without reasoning unless it is asked for', async () => {
    const params = { model: 'tiny', messages: HELLO, max_tokens: 40, temperature: 0 }
    const whole = await openai.chat.completions.create(params)
    const [choice] = whole.choices
    expect(choice).include({ finish_reason: 'length' })
    expect(choice!.message).not.have.property('reasoning_content')
    expect(whole.usage).include({ prompt_tokens: HELLO_TOKENS, completion_tokens: 40 })

    let text = ''
    let usage: OpenAI.CompletionUsage | null | undefined
    for await (const chunk of await openai.chat.completions.create({ ...params, stream: true })) {
      text += chunk.choices[0]?.delta.content ?? ''
      usage = chunk.usage ?? usage
    }
    expect(text).equal(choice!.message.content)
    expect(usage).include({ prompt_tokens: HELLO_TOKENS, completion_tokens: 40 })
    // The second time, all tokens of a prompt but the last are cached.
    expect(usage?.prompt_tokens_details?.cached_tokens).equal(HELLO_TOKENS - 1)

    const thoughtful = await openai.chat.completions.create({ ...params, reasoning_effort: 'high' })
    expect(thoughtful.choices[0]!.message).have.property('reasoning_content').that.is.a('string')
    const message = await anthropic.messages.create({ ...params, thinking: { type: 'enabled', budget_tokens: 1024 } })
    expect(message.content[0]).include({ type: 'thinking' })
  })

  it('counts the tokens so far on every chunk of a stream', async () => {
    const params = { model: 'tiny', messages: HELLO, max_tokens: 5, temperature: 0, stream: true as const }
    const counts: unknown[] = []
    for await (const { usage } of await openai.chat.completions.create(params))
      counts.push([usage?.prompt_tokens, usage?.completion_tokens])
    // Each token, the finish reason, and the last chunk.
    expect(counts).deep.equal([1, 2, 3, 4, 5, 5, 5].map(count => [HELLO_TOKENS, count]))
  })

  it('reads the sampling controls under its own names', async () => {
    const said = async (more: JsonObject) => {
      const { json } = await reply('/v1/chat/completions', { messages: HELLO, max_tokens: 60, temperature: 0, ...more })
      return JSON.stringify(json.choices)
    }
    const plain = await said({})
    expect(await said({ temperature: 1, top_k: 1 })).equal(plain)
    for (const more of [{ repetition_penalty: 1.9 }, { presence_penalty: 2 }, { logit_bias: { 97: -100 } }]) {
      expect(await said(more), JSON.stringify(more)).not.equal(plain)
    }
    const seeded = { temperature: 1, seed: 7 }
    expect(await said(seeded)).equal(await said(seeded))
    expect(await said({ stop: ['a'] })).includes('"finish_reason":"stop"')
  })

  it('calls the one function that is named, with arguments that fit its schema', async () => {
    const tool = (name: string, parameters: JsonObject) => ({
      type: 'function' as const,
      function: { name, parameters },
    })
    const params = {
      model: 'tiny',
      messages: HELLO,
      tools: [tool('get_time', { type: 'object', properties: {} }), tool('get_weather', CITY)],
      tool_choice: { type: 'function' as const, function: { name: 'get_weather' } },
      max_tokens: 1000,
    }
    const finished = async () => {
      for (const seed of SEEDS) {
        const stream = openai.chat.completions.stream({ ...params, seed })
        const [choice] = (await stream.finalChatCompletion()).choices
        if (choice!.finish_reason === 'tool_calls') return choice!
      }
      throw new Error('No call was ended')
    }
    for (const call of (await finished()).message.tool_calls ?? []) {
      expect(call.type === 'function' && call.function.name).equal('get_weather')
      const { city } = JSON.parse(call.type === 'function' ? call.function.arguments : '') as { city: string }
      expect(['Rome', 'Oslo']).includes(city)
    }
  })

  it('uses tools on the Messages API, streamed', async () => {
    const params = {
      model: 'tiny',
      max_tokens: 1000,
      messages: HELLO,
      tools: [{ name: 'get_weather', input_schema: CITY }],
      tool_choice: { type: 'tool' as const, name: 'get_weather' },
    }
    for (const temperature of SEEDS.map(seed => 0.7 + seed / 20)) {
      const message = await anthropic.messages
        .stream({ ...params, temperature: Math.min(temperature, 1) })
        .finalMessage()
      if (message.stop_reason !== 'tool_use') continue
      const use = message.content.find(block => block.type === 'tool_use')!
      expect(use.name).equal('get_weather')
      expect(['Rome', 'Oslo']).includes((use.input as { city: string }).city)
      const result = { type: 'tool_result' as const, tool_use_id: use.id, content: '20 degrees' }
      const answered = await anthropic.messages.create({
        ...params,
        max_tokens: 5,
        tool_choice: { type: 'none' },
        messages: [...HELLO, { role: 'assistant', content: message.content }, { role: 'user', content: [result] }],
      })
      expect(answered.usage.input_tokens).greaterThan(message.usage.input_tokens)
      return
    }
    throw new Error('No call was ended')
  })

  it('replies in the requested format', async () => {
    const content = async (response_format: JsonObject, more: JsonObject = {}): Promise<string> => {
      const { json } = await reply('/v1/chat/completions', {
        messages: HELLO,
        max_tokens: 800,
        response_format,
        ...more,
      })
      const [choice] = json.choices as { finish_reason: string; message: { content: string } }[]
      expect(choice!.finish_reason).equal('stop')
      return choice!.message.content
    }
    const format = { type: 'json_schema', json_schema: { name: 'place', strict: true, schema: CITY } }
    expect(JSON.parse(await content(format))).have.property('city')
    expect(JSON.parse(await content(format, { reasoning_effort: 'high', seed: 3 }))).have.property('city')
    expect(await content({ type: 'grammar', grammar: 'root ::= "zq" [0-9] [0-9]' })).match(/^zq\d\d$/)
    const bad = await reply('/v1/chat/completions', {
      messages: HELLO,
      response_format: { type: 'grammar', grammar: 'root ::= [' },
    })
    expect([bad.status, (bad.json.error as JsonObject).code]).deep.equal([400, 'model_request_rejected'])
    const grammar = { type: 'grammar', grammar: 'root ::= "a"' }
    const both = await reply('/v1/chat/completions', {
      messages: HELLO,
      response_format: grammar,
      reasoning_effort: 'high',
    })
    expect([both.status, (both.json.error as JsonObject).code]).deep.equal([400, 'unsupported_feature'])
    const regex = await reply('/v1/chat/completions', { messages: HELLO, regex: 'a+' })
    expect([regex.status, (regex.json.error as JsonObject).code]).deep.equal([400, 'unsupported_regex'])
  })

  it('answers on the Responses API', async () => {
    const params = { model: 'tiny', input: 'Hi', max_output_tokens: 20, temperature: 0 }
    const whole = await openai.responses.create(params)
    expect(whole).include({ status: 'incomplete' })
    expect(whole.output_text).lengthOf.greaterThan(0)
    const streamed = await openai.responses.stream(params).finalResponse()
    expect(streamed.output_text).equal(whole.output_text)
    expect(streamed.usage).include({ input_tokens: HELLO_TOKENS, output_tokens: 20 })
  })

  it('completes one prompt or several, of text or tokens, and counts all of them', async () => {
    const params = { model: 'tiny', max_tokens: 4, temperature: 0 }
    const counted = async (prompt: string | string[] | number[] | number[][]) => {
      const whole = await openai.completions.create({ ...params, prompt })
      const texts = whole.choices.map(() => '')
      let usage: OpenAI.CompletionUsage | null | undefined
      for await (const chunk of await openai.completions.create({ ...params, prompt, stream: true })) {
        for (const { index, text } of chunk.choices) texts[index] += text
        usage = chunk.usage ?? usage
      }
      expect(texts).deep.equal(whole.choices.map(({ text }) => text))
      expect(usage?.completion_tokens).equal(whole.usage?.completion_tokens)
      return [whole.choices.length, whole.usage?.prompt_tokens, whole.usage?.completion_tokens]
    }
    expect(await counted('abc')).deep.equal([1, 3, 4])
    expect(await counted(['abc', 'de'])).deep.equal([2, 5, 8])
    expect(await counted([97, 98, 99])).deep.equal([1, 3, 4])
    expect(await counted([[97, 98, 99], [100]])).deep.equal([2, 4, 8])
  })

  it('has log probabilities in the shape of each API, as many as asked for', async () => {
    const text = await openai.completions.create({ model: 'tiny', prompt: 'a', max_tokens: 3, logprobs: 2 })
    const [{ logprobs } = { logprobs: null }] = text.choices
    expect(logprobs?.tokens).lengthOf(logprobs!.token_logprobs!.length).and.lengthOf(logprobs!.text_offset!.length)
    const params = { model: 'tiny', messages: HELLO, max_tokens: 3, temperature: 0, logprobs: true }
    for (const top_logprobs of [0, 2]) {
      const chat = await openai.chat.completions.create({ ...params, top_logprobs })
      expect(chat.choices[0]!.logprobs?.content).lengthOf(3)
      expect(chat.choices[0]!.logprobs?.content?.[0]?.top_logprobs).lengthOf(top_logprobs)
    }
  })

  it('counts tokens exactly', async () => {
    const params = {
      model: 'tiny',
      messages: HELLO,
      system: 'Be kind.',
      tools: [{ name: 'get_weather', input_schema: CITY }],
    }
    const counted = await anthropic.messages.countTokens(params)
    const message = await anthropic.messages.create({ ...params, max_tokens: 1 })
    expect(counted.input_tokens).equal(message.usage.input_tokens)
    const { headers } = await reply('/v1/messages/count_tokens', { messages: HELLO })
    expect(headers.get('x-service-input-tokens-estimated')).equal(null)
  })

  it('reports how long a prompt may be', async () => {
    const messages = [{ role: 'user', content: 'a'.repeat(WINDOW) }]
    const { status, json } = await reply('/v1/chat/completions', { messages })
    expect(status).equal(400)
    expect(json.error).include({ code: 'context_length_exceeded', context_length_limit: WINDOW })
  })

  it('stops when the client disconnects, on every API, streamed or not', async () => {
    const bodies: readonly (readonly [path: string, body: JsonObject])[] = [
      ['/v1/chat/completions', { messages: HELLO, ...ENDLESS }],
      ['/v1/completions', { prompt: 'a', ...ENDLESS }],
      ['/v1/messages', { messages: HELLO, ...ENDLESS }],
      ['/v1/responses', { input: 'Hi', temperature: 0, max_output_tokens: ENDLESS.max_tokens }],
    ]
    for (const [path, body] of bodies) {
      for (const stream of [true, false]) {
        const leaving = new AbortController()
        const pending = post(path, { ...body, stream }, leaving.signal)
          .then(answer => answer.text())
          .catch(() => 'left')
        await eventually(async () => (await server.busy()) === 1, `${path} to begin`)
        leaving.abort()
        await eventually(async () => (await server.busy()) === 0, `${path} to stop, stream: ${stream}`, 1000)
        expect(await pending).equal('left')
      }
    }
  })

  it('lets more requests wait than it has slots', async () => {
    const params = { model: 'tiny', messages: HELLO, max_tokens: 100, temperature: 0 }
    const replies = await Promise.all(SEEDS.map(() => openai.chat.completions.create(params)))
    expect(replies.map(({ usage }) => usage?.completion_tokens)).deep.equal(SEEDS.map(() => 100))
  })

  it('is recognised by the capability probe', async () => {
    const { engine, engineVersion, maxModelLen, capabilities, profile } = await probeBackend(server.url)
    expect([engine, maxModelLen]).deep.equal(['llama.cpp', WINDOW])
    expect(engineVersion).match(/^b\d+/)
    expect(capabilities).deep.include({ vision: false, tools: true, reasoning: true })
    expect(capabilities.chat_completions).include({ n: true, grammar: true, regex: false, structured_outputs: true })
    expect(profile).deep.equal({ ...PROFILES['llama.cpp'], developer_role: true })
  })

  // The last test: it stops the server.
  it('ends with an error when it is killed, and is reported as unavailable afterwards', async () => {
    const stream = anthropic.messages.stream({ model: 'tiny', messages: HELLO, ...ENDLESS })
    let text = ''
    stream.on('text', piece => {
      if (text === '') void server.kill()
      text += piece
    })
    const error = await stream.finalMessage().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).instanceOf(Anthropic.APIError)
    expect(text).not.equal('')
    const { status, json } = await reply('/v1/chat/completions', { messages: HELLO })
    expect([502, 503]).includes(status)
    expect(['backend_connect_error', 'no_healthy_backends']).includes((json.error as JsonObject).code)
  })
})
