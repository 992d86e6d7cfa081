/** Mirrored requests, which have no effect on responses, records and balances. */
import { expect } from 'chai'
import { reply, type ScriptedBackend, scriptedBackend, status } from '../support/backend.ts'
import { eventually, type TestGateway, testGateway } from '../support/gateway.ts'

describe('the mirror of a model', () => {
  let own: ScriptedBackend
  let other: ScriptedBackend
  let gateway: TestGateway

  beforeEach(async () => {
    own = await scriptedBackend(reply())
    other = await scriptedBackend(reply())
    const backend = (url: string) => ({ url, engine: 'vllm', zdr: true })
    gateway = await testGateway({
      backends: [],
      account: { credits_cents: 1000 },
      more: {
        models: [
          {
            id: 'm',
            pricing: { input: 1000, output: 1000 },
            mirror: { to: 'next', percent: 50 },
            backends: [backend(own.url)],
          },
          { id: 'next', pricing: { input: 9000, output: 9000 }, backends: [backend(other.url)] },
        ],
      },
    })
  })

  afterEach(async () => {
    await gateway?.close()
    await own.close()
    await other.close()
  })

  const send = async (body: object = {}, headers: Record<string, string> = {}) => {
    const response = await gateway.post(
      '/v1/chat/completions',
      { model: 'm', messages: [{ role: 'user', content: 'hi' }], max_tokens: 10, ...body },
      { headers },
    )
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  const mirrored = (outcome: string) => gateway.metric('sluiceway_mirror_requests_total', `outcome="${outcome}"`)

  it('gets every second request, which nobody sees, waits for or pays', async () => {
    // Missing replies and failures affect no client.
    other.script = (res, request, req) =>
      other.requests.length % 2 === 0 ? status(500, { error: 'x' })(res, request, req) : undefined
    for (let i = 0; i < 6; i++) expect((await send({ stream: i % 2 === 1 })).status).equal(200)
    await eventually(() => other.requests.length === 3, 'mirrored requests')
    await eventually(async () => (await mirrored('failed')) === 1, 'a failure')
    expect(own.requests).lengthOf(6)
    expect(other.requests[0]!.body).include({ model: 'next', max_tokens: 10 })
    expect(other.requests[0]!.headers['x-request-id']).match(/^mirror-[0-9a-f]{12}$/)
    expect(await gateway.metric('sluiceway_requests_total', 'model="m"')).equal(6)
    for (const record of gateway.records()) expect(record).include({ model_resolved: 'm' })
    expect(await gateway.metric('sluiceway_requests_total', 'model="next"')).equal(0)
    expect(await gateway.metric('sluiceway_backend_up', 'model="next"')).equal(1)
    // Pending mirrored requests do not delay the end.
    await gateway.gateway.drain()
    await eventually(() => other.aborted.length === 2, 'cancelled requests')
  })

  it('never gets what requires zero data retention, what is refused, or what is large', async () => {
    for (let i = 0; i < 4; i++) expect((await send({}, { 'service-zdr': 'required' })).status).equal(200)
    own.script = status(400, { error: { message: 'bad' } })
    for (let i = 0; i < 4; i++) expect((await send()).status).equal(400)
    own.script = reply()
    const content = 'x '.repeat(40_000)
    for (let i = 0; i < 2; i++) expect((await send({ messages: [{ role: 'user', content }] })).status).equal(200)
    expect(await mirrored('too_large')).equal(1)
    expect(other.requests).deep.equal([])
  })
})
