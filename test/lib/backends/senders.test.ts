import { expect } from 'chai'
import { Backend } from '../../../lib/backends/backend.ts'
import { Senders } from '../../../lib/backends/senders.ts'
import { outgoingJson } from '../../../lib/body/request-body.ts'
import type { BackendConfig } from '../../../lib/config/config.ts'
import type { UpstreamSender } from '../../../lib/transport/transport.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { ClientExchanges } from '../../support/client-exchanges.ts'
import { ManualClock } from '../../support/clock.ts'
import { eventually } from '../../support/gateway.ts'
import { Heard, UpstreamBench } from '../../support/upstream.ts'

const SENT = 20

describe('backends/senders', () => {
  const bench = new UpstreamBench()
  const clients = new ClientExchanges()
  let senders: Senders
  beforeEach(() => {
    senders = new Senders(2000)
    bench.connections = 0
    bench.seen.length = 0
  })
  afterEach(() => senders.close())
  after(() => {
    clients.close()
    return bench.close()
  })

  const backend = (members: Partial<BackendConfig>) => new Backend('m', backendConfig(members), new ManualClock())

  const sender = async (kind: 'chat' | 'pipe', to: Backend): Promise<UpstreamSender> =>
    kind === 'chat' ? senders.chat(to) : senders.pipe(to, await clients.open())

  async function answered(client: UpstreamSender): Promise<void> {
    const heard = new Heard()
    client.send({ method: 'POST', path: '/x', body: outgoingJson('{}') }, heard)
    await eventually(() => heard.isOver, 'an answer')
    expect(heard.status).equal(200)
    // A connection is free for the next request in a later tick.
    await new Promise(setImmediate)
  }

  for (const kind of ['chat', 'pipe'] as const) {
    it(`keep one connection for all backends on a server, with the key and path of each: ${kind}`, async () => {
      const url = await bench.server()
      for (let i = 0; i < SENT; i++)
        await answered(await sender(kind, backend({ url: `${url}/${i}`, api_key: `k${i}` })))
      expect(bench.connections).equal(1)
      expect(bench.seen.map(({ line }) => line.split(' ')[1])).deep.equal(
        Array.from({ length: SENT }, (_, i) => `/${i}/x`),
      )
      expect(bench.seen.at(-1)?.rawHeaders).include(`Bearer k${SENT - 1}`)
    })

    it(`connect to each server by itself, and close all connections: ${kind}`, async () => {
      for (let i = 0; i < 2; i++) await answered(await sender(kind, backend({ url: await bench.server() })))
      expect(bench.connections).equal(2)
      senders.close()
      await eventually(() => bench.sockets.size === 0, 'closed connections')
    })
  }

  it('close the connections of a server with the last of its backends', async () => {
    const url = await bench.server()
    const [one, two] = [backend({ url: `${url}/a` }), backend({ url: `${url}/b` })]
    for (const kind of ['chat', 'pipe'] as const) {
      for (const each of [one, two]) await answered(await sender(kind, each))
    }
    senders.forget(one)
    await answered(senders.chat(two))
    expect(bench.connections).equal(2)
    senders.forget(two)
    await eventually(() => bench.sockets.size === 0, 'closed connections')
  })

  it('have one client for each backend', () => {
    const one = backend({})
    expect(senders.chat(one)).equal(senders.chat(one))
    expect(senders.chat(backend({}))).not.equal(senders.chat(one))
  })
})
