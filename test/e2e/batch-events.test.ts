/** The events of batches, from real gateways that share a store to a receiver that verifies signatures. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { reply, type ScriptedBackend, scriptedBackend, status } from '../support/backend.ts'
import { batchLine, createBatch } from '../support/batch-client.ts'
import { ACCOUNT, eventually, type TestGateway, testGateway } from '../support/gateway.ts'
import { type Receiver, SECRET, startReceiver } from '../support/receiver.ts'

/** Several checks of alerts, which each process makes every second. */
const QUIET_MS = 3000

describe('events of batches', () => {
  let backend: ScriptedBackend
  let receiver: Receiver
  const gateways: TestGateway[] = []
  before(async () => {
    backend = await scriptedBackend()
    backend.script = (res, request, req) => {
      const isBad = JSON.stringify(request.body).includes('"bad"')
      return (isBad ? status(400, { error: { message: 'No.' } }) : reply())(res, request, req)
    }
    receiver = await startReceiver()
    const alerts = { webhook: receiver.url, secret: SECRET }
    for (let i = 0; i < 2; i++) {
      const [first] = gateways
      const shared = first && {
        store: `sqlite:${join(first.dir, 'store.db')}`,
        files: { path: join(first.dir, 'files') },
      }
      gateways.push(await testGateway({ backends: [backend.url], more: { batches: {}, alerts, ...shared } }))
    }
  })
  after(async () => {
    await Promise.all(gateways.map(gateway => gateway.close()))
    await Promise.all([backend.close(), receiver.close()])
  })

  const create = (...lines: string[]) => createBatch(gateways[0]!.url, lines)

  it('arrive once, signed, with ids, state and counts, however many processes there are', async () => {
    receiver.answers.push(500)
    const done = await create(batchLine('good'), batchLine('bad'))
    const refused = await create(batchLine('good', { temperature: 9 }))
    const { deliveries } = receiver
    await eventually(() => deliveries.length === 3, 'two events, one of them twice', 30_000)
    await sleep(QUIET_MS)
    expect(deliveries.map(({ isSigned }) => isSigned)).deep.equal([true, true, true])

    const events = new Map(deliveries.map(({ id, body }) => [id, body]))
    const arrived = [...events.values()].map(({ type, data, timestamp }) => {
      return { type, data, seconds: Math.floor(Date.parse(String(timestamp)) / 1000) }
    })
    const expected = async (batch_id: string, state: string, counts: JsonObject) => {
      const ended = (await (await gateways[1]!.get(`/v1/batches/${batch_id}`)).json()) as JsonObject
      const request_counts = { total: 0, completed: 0, failed: 0, cancelled: 0, expired: 0, ...counts }
      const data = { account_id: ACCOUNT, batch_id, status: state, request_counts }
      return { type: `batch.${state}`, data, seconds: ended[`${state}_at`] }
    }
    expect(arrived).have.deep.members([
      await expected(done, 'completed', { total: 2, completed: 1, failed: 1 }),
      await expected(refused, 'failed', {}),
    ])
  })
})
