import { expect } from 'chai'
import { Backend } from '../../../lib/backends/backend.ts'
import { BackendClients } from '../../../lib/backends/backend-clients.ts'
import { outgoingJson } from '../../../lib/body/request-body.ts'
import type { BackendConfig } from '../../../lib/config/config.ts'
import type { UpstreamSender } from '../../../lib/transport/transport.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { ClientExchanges } from '../../support/client-exchanges.ts'
import { ManualClock } from '../../support/clock.ts'
import { eventually } from '../../support/gateway.ts'
import { Heard, UpstreamBench } from '../../support/upstream.ts'

const SENT = 20

describe('backends/backend-clients', () => {
  const bench = new UpstreamBench()
  const clients = new ClientExchanges()
  let backendClients: BackendClients
  beforeEach(() => {
    backendClients = new BackendClients(2000)
    bench.connections = 0
    bench.seen.length = 0
  })
  afterEach(() => backendClients.close())
  after(() => {
    clients.close()
    return bench.close()
  })

  const backend = (members: Partial<BackendConfig>) => new Backend('m', backendConfig(members), new ManualClock())

  const clientOf = async (kind: 'chat' | 'pipe', to: Backend): Promise<UpstreamSender> =>
    kind === 'chat' ? backendClients.chat(to) : backendClients.pipe(to, await clients.open())

  async function answered(client: UpstreamSender): Promise<void> {
    const heard = new Heard()
    client.send({ method: 'POST', path: '/x', body: outgoingJson('{}') }, heard)
    await eventually(() => heard.isOver, 'an answer')
    expect(heard.status).equal(200)
    // The connection can be reused in a later tick.
    await new Promise(setImmediate)
  }

  for (const kind of ['chat', 'pipe'] as const) {
    it(`share one connection between all backends on a server, with the key and path of each: ${kind}`, async () => {
      const url = await bench.server()
      for (let i = 0; i < SENT; i++)
        await answered(await clientOf(kind, backend({ url: `${url}/${i}`, api_key: `k${i}` })))
      expect(bench.connections).equal(1)
      expect(bench.seen.map(({ line }) => line.split(' ')[1])).deep.equal(
        Array.from({ length: SENT }, (_, i) => `/${i}/x`),
      )
      expect(bench.seen.at(-1)?.rawHeaders).include(`Bearer k${SENT - 1}`)
    })

    it(`have separate connections to each server, and close all of them: ${kind}`, async () => {
      for (let i = 0; i < 2; i++) await answered(await clientOf(kind, backend({ url: await bench.server() })))
      expect(bench.connections).equal(2)
      backendClients.close()
      await eventually(() => bench.sockets.size === 0, 'closed connections')
    })
  }

  it('close the connections of a server with the last of its backends', async () => {
    const url = await bench.server()
    const [one, two] = [backend({ url: `${url}/a` }), backend({ url: `${url}/b` })]
    for (const kind of ['chat', 'pipe'] as const) {
      for (const each of [one, two]) await answered(await clientOf(kind, each))
    }
    backendClients.forget(one)
    await answered(backendClients.chat(two))
    expect(bench.connections).equal(2)
    backendClients.forget(two)
    await eventually(() => bench.sockets.size === 0, 'closed connections')
  })

  it('have one client for each backend', () => {
    const one = backend({})
    expect(backendClients.chat(one)).equal(backendClients.chat(one))
    expect(backendClients.chat(backend({}))).not.equal(backendClients.chat(one))
  })
})
