import { expect } from 'chai'
import {
  reply,
  type ScriptedBackend,
  scriptedBackend,
  sendEvent,
  startStream,
  status,
  USAGE,
} from '../support/backend.ts'
import { counts, role, says } from '../support/fixtures/events.ts'
import { type TestGateway, testGateway } from '../support/gateway.ts'

const BODY = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }

/** The facts of each attempt in the record of a request. */
describe('the attempts of a record', () => {
  let one: ScriptedBackend
  let two: ScriptedBackend
  let gateway: TestGateway
  before(async () => {
    one = await scriptedBackend()
    two = await scriptedBackend()
    const backends = [one, two].map(({ url }, i) => ({
      url,
      model: 'upstream-m',
      engine: 'vllm',
      weight: i === 0 ? 1000 : 1,
    }))
    gateway = await testGateway({ backends: [], model: { backends, routing: { policy: 'least_load' } } })
  })
  after(async () => {
    await gateway.close()
    await one.close()
    await two.close()
  })

  async function attemptsOf(body: object) {
    const response = await gateway.post('/v1/chat/completions', { ...BODY, ...body })
    await response.text().catch(() => '')
    return gateway.records().at(-1)!
  }

  it('are one for a request that was answered', async () => {
    one.script = two.script = reply()
    const { attempts, attempt_list: list, backend } = await attemptsOf({})
    expect([attempts, list?.length]).deep.equal([1, 1])
    expect(list![0]).include({
      backend,
      reason: null,
      tokens: USAGE.completion_tokens,
      prompt_tokens: USAGE.prompt_tokens,
    })
    expect(list![0]!.ms).within(0, 60_000)
    expect(list![0]).include({ model: 'm', status: 200, routed: 'least_load', predicted_ms: null })
    expect(list![0]!.started_ms).within(0, 60_000)
  })

  it('name each backend and why it failed', async () => {
    one.script = status(503, { error: { message: 'the queue is overloaded' } })
    two.script = reply()
    const { attempts, attempt_list: list = [] } = await attemptsOf({})
    expect(attempts).equal(2)
    expect(list!.map(({ backend }) => backend)).deep.equal([one.url, two.url])
    expect(list![0]).include({ tokens: null, prompt_tokens: null })
    expect(list![0]!.reason).match(/^status 503/)
    expect(list![1]).include({ reason: null, tokens: USAGE.completion_tokens })
  })

  it('count what a broken stream had generated', async () => {
    one.script = two.script = res => {
      startStream(res)
      for (const one of [role, { ...says('a'), usage: counts(9, 3) }]) sendEvent(res, one)
      setTimeout(() => res.destroy(), 50)
    }
    const { attempt_list: list } = await attemptsOf({ stream: true })
    expect(list!.at(-1)).include({ tokens: 3, prompt_tokens: 9 })
    expect(list!.at(-1)!.reason).be.a('string')
  })

  it('are none without a request to a backend', async () => {
    expect((await attemptsOf({ model: 'unknown' })).attempt_list).equal(null)
  })
})
