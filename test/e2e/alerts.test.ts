/** Alerts of real gateways that share a store, to a receiver that verifies their signatures. */
import { join } from 'node:path'
import { expect } from 'chai'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { eventually, type TestConfig, type TestGateway, testGateway } from '../support/gateway.ts'
import { type Receiver, SECRET, startReceiver } from '../support/receiver.ts'

const CHAT = '/v1/chat/completions'
const BODY = { model: 'm', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 5 }

describe('alerts', () => {
  let backend: ScriptedBackend
  let receiver: Receiver
  const gateways: TestGateway[] = []
  before(async () => {
    backend = await scriptedBackend(reply())
    receiver = await startReceiver()
  })
  after(async () => {
    await Promise.all(gateways.map(gateway => gateway.close()))
    await Promise.all([backend.close(), receiver.close()])
  })
  const start = async () => {
    const dir = gateways[0]?.dir
    const options: TestConfig = {
      backends: [backend.url],
      model: { pricing: { input: 0, output: 1_000_000 } },
      account: { plan: 'p', credits_cents: 100 },
      more: {
        plans: { p: { requests: { limit: 4, window: '1d' } } },
        alerts: { webhook: receiver.url, secret: SECRET, credit_below_cents: [99], quota_used: [0.5, 1] },
        ...(dir !== undefined && { store: `sqlite:${join(dir, 'store.db')}` }),
      },
    }
    const gateway = await testGateway(options)
    gateways.push(gateway)
    return gateway
  }
  const arrived = () =>
    receiver.deliveries.map(({ body: { type, data } }) => `${type} ${data.threshold_cents ?? data.share}`).toSorted()

  it('arrive once for each threshold, whoever fails on the way, and however many processes there are', async () => {
    receiver.answers.push(500, 500)
    const [one] = [await start(), await start()]
    for (let i = 0; i < 2; i++) expect((await one.post(CHAT, BODY)).status).equal(200)
    const sum = async () => {
      let sent = 0
      for (const gateway of gateways) sent += await gateway.metric('sluiceway_alerts_total', 'outcome="sent"')
      return sent
    }
    await eventually(async () => (await sum()) === 2, 'alerts', 60_000)
    expect(receiver.deliveries).lengthOf(4)
    expect(receiver.deliveries.every(({ isSigned }) => isSigned)).equal(true)
    expect(new Set(receiver.deliveries.map(({ id }) => id)).size).equal(2)
    expect([...new Set(arrived())]).deep.equal(['credits.low 99', 'quota.used 0.5'])

    // Another process continues after these end, and sends only new alerts.
    for (const gateway of gateways) await gateway.gateway.drain()
    const next = await start()
    for (let i = 0; i < 2; i++) expect((await next.post(CHAT, BODY)).status).equal(200)
    await eventually(() => arrived().includes('quota.used 1'), 'the last alert', 60_000)
    expect(receiver.deliveries).lengthOf(5)
  })
})
