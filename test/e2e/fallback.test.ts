/** Fallback to another model: responses, records and balances. */
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { reply, type ScriptedBackend, scriptedBackend, status, USAGE } from '../support/backend.ts'
import { type TestGateway, testGateway } from '../support/gateway.ts'
import { deadAddress } from '../support/stub.ts'

const messages = [{ role: 'user', content: 'hi' }]

describe('the fallback of a model', () => {
  let own: ScriptedBackend
  let other: ScriptedBackend
  let gateway: TestGateway

  async function start(urls: readonly string[], more: JsonObject = {}, account: JsonObject = {}): Promise<void> {
    const at = (url: string) => ({ url, engine: 'vllm', ...more })
    const pricing = (price: number) => ({ input: price, output: price })
    gateway = await testGateway({
      backends: [],
      account,
      more: {
        models: [
          { id: 'm', pricing: pricing(1000), fallback: ['other'], backends: urls.map(at) },
          { id: 'other', pricing: pricing(5000), backends: [{ url: other.url, engine: 'vllm' }] },
        ],
      },
    })
  }

  async function send(headers: Record<string, string> = {}, stream = false) {
    const response = await gateway.post(
      '/v1/chat/completions',
      { model: 'm', messages, stream, max_tokens: 10 },
      { headers },
    )
    await response.text()
    const record = gateway.records().at(-1)!
    return { status: response.status, by: response.headers.get('x-service-fallback'), record }
  }

  before(async () => {
    own = await scriptedBackend(reply())
    other = await scriptedBackend(reply())
  })

  beforeEach(() => {
    own.script = other.script = reply()
    own.requests.length = other.requests.length = 0
  })

  afterEach(() => gateway?.close())

  after(async () => {
    await own.close()
    await other.close()
  })

  it('serves when no connection can be opened, and is billed and recorded as itself', async () => {
    await start([`${await deadAddress()}/v1`], {}, { credits_cents: 100 })
    for (const stream of [false, true]) {
      const { status: code, by, record } = await send({}, stream)
      expect([code, by]).deep.equal([200, 'other'])
      expect(record).include({ model_requested: 'm', model_resolved: 'other' })
      const tokens = USAGE.prompt_tokens + USAGE.completion_tokens
      expect(record.cost_microcents).equal(tokens * 5000)
    }
    expect(other.requests[0]!.body).include({ model: 'other' })
    expect(await gateway.metric('sluiceway_fallbacks_total', 'to="other"')).equal(2)
  })

  it('serves when the backends are full', async () => {
    await start([own.url])
    own.script = status(429, { error: { message: 'slow down', type: 'x' } })
    expect(await send()).include({ status: 200, by: 'other' })
  })

  it('does not serve what the model itself can, or has begun with', async () => {
    await start([own.url])
    expect(await send()).include({ status: 200, by: null })
    own.script = status(500, { error: { message: 'engine', type: 'x' } })
    expect(await send()).include({ status: 502, by: null })
    own.script = status(400, { error: { message: 'no', type: 'x' } })
    expect(await send()).include({ status: 400, by: null })
    expect(other.requests).deep.equal([])
  })

  it('serves nobody who may not use it', async () => {
    await start([`${await deadAddress()}/v1`], {}, { models: ['m'] })
    expect(await send()).include({ status: 502, by: null })
    expect(other.requests).deep.equal([])
  })

  it('keeps to backends with zero data retention', async () => {
    await start([`${await deadAddress()}/v1`], { zdr: true })
    expect(await send({ 'service-zdr': 'required' })).include({ status: 502, by: null })
    expect(other.requests).deep.equal([])
  })
})
