import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { ModelCatalog } from '../../../../lib/accounts/access.ts'
import type { InternalRequest } from '../../../../lib/plugin.ts'
import { modelJudge, webhookJudge } from '../../../../plugins/rules/guard/judge.ts'
import { model, modelWith } from '../../../support/canonical.ts'

const QUESTION = { request_id: 'req_1', account: 'a', model: 'm', stage: 'input', text: 'Hello' } as const
const { signal } = new AbortController()
const problem = async (pending: Promise<unknown>) =>
  ((await pending.catch((error: unknown) => error)) as Error | { message?: string }).message

describe('guard: a webhook', () => {
  let server: http.Server
  let url: string
  let received: { body: string; headers: http.IncomingHttpHeaders }[]
  let answer: { status: number; body: string; headers?: http.OutgoingHttpHeaders }

  beforeEach(async () => {
    received = []
    server = http.createServer((req, res) => {
      let body = ''
      req.on('data', part => (body += String(part)))
      req.on('end', () => {
        received.push({ body, headers: req.headers })
        res.writeHead(answer.status, answer.headers).end(answer.body)
      })
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })

  afterEach(() => {
    server.close()
    server.closeAllConnections()
  })

  it('is sent the question, and answers with the verdict', async () => {
    answer = { status: 200, body: '{"allow":false,"reason":"no"}' }
    expect(await webhookJudge(url, false)(QUESTION, false, signal)).deep.equal({ allow: false, reason: 'no' })
    expect(JSON.parse(received[0]!.body)).deep.equal(QUESTION)
    expect(received[0]!.headers).include({ 'content-type': 'application/json', 'user-agent': 'Sluiceway' })
    answer = { status: 200, body: '{"allow":true,"reason":null}' }
    expect(await webhookJudge(url, false)(QUESTION, false, signal)).deep.equal({ allow: true, reason: undefined })
  })

  it('gives no verdict with another status, a redirect, or an answer of another form', async () => {
    const ask = () => problem(webhookJudge(url, false)(QUESTION, false, signal))
    answer = { status: 500, body: '{"allow":true}' }
    expect(await ask()).equal('the webhook answered with status 500')
    answer = { status: 307, body: '', headers: { location: `${url}elsewhere` } }
    expect(await ask()).match(/^the webhook answered with status/)
    expect(received).length(2)
    for (const body of ['', '[]', '{}', '{"allow":"yes"}']) {
      answer = { status: 200, body }
      expect(await ask(), body).equal('the answer has no verdict')
    }
  })

  it('is sent nothing under zero data retention, unless it is marked for it', async () => {
    answer = { status: 200, body: '{"allow":true}' }
    expect(await problem(webhookJudge(url, false)(QUESTION, true, signal))).match(/zero data retention/)
    expect(received).length(0)
    expect(await webhookJudge(url, true)(QUESTION, true, signal)).include({ allow: true })
  })
})

describe('guard: a model', () => {
  function judging(content: string, status = 200, served = model()) {
    const sent: InternalRequest[] = []
    const judge = modelJudge('m', {
      models: { find: () => served } as unknown as ModelCatalog,
      internal: {
        async send(request) {
          sent.push(request)
          const body = status === 200 ? { choices: [{ message: { content } }] } : { error: { code: content } }
          return { requestId: 'req_2', status, body: JSON.stringify(body) }
        },
      },
    })
    return { judge, sent }
  }

  it('is asked by an internal request of the operator', async () => {
    const { judge, sent } = judging('{"allow":false,"reason":"no"}')
    expect(await judge(QUESTION, true, signal)).deep.equal({ allow: false, reason: 'no' })
    const [{ surface, route, key, body }] = sent as [InternalRequest]
    expect({ surface, route }).deep.equal({ surface: 'internal', route: 'chat' })
    expect(key.account).include({ id: 'operator', zdrRequired: true })
    const { messages, response_format, ...rest } = JSON.parse(String(body))
    expect(rest).deep.equal({ model: 'm', temperature: 0, max_tokens: 200 })
    expect(response_format).equal(undefined)
    expect(JSON.parse(messages[1].content)).deep.equal(QUESTION)
  })

  it('is bound to the form of a verdict if it can be', async () => {
    const { judge, sent } = judging('{"allow":true,"reason":""}', 200, modelWith({ structured_outputs: true }))
    expect(await judge(QUESTION, false, signal)).deep.equal({ allow: true, reason: undefined })
    expect(JSON.parse(String(sent[0]!.body))).nested.property('response_format.type', 'json_schema')
  })

  it('may write something around the verdict', async () => {
    const { judge } = judging('Here it is:\n```json\n{"allow": true, "reason": "ok"}\n```')
    expect(await judge(QUESTION, false, signal)).include({ allow: true })
  })

  it('gives no verdict with another text or a refusal', async () => {
    for (const text of ['', 'yes', '{"allow":1}'])
      expect(await problem(judging(text).judge(QUESTION, false, signal)), text).equal('the answer has no verdict')
    expect(await problem(judging('no_healthy_backends', 503).judge(QUESTION, false, signal))).equal(
      'the model answered with status 503 (no_healthy_backends)',
    )
  })
})
