import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mock } from 'node:test'
import { expect } from 'chai'
import { Dashboard } from '../../../../lib/admin/live/dashboard.ts'
import { Viewers } from '../../../../lib/admin/live/viewers.ts'
import { systemClock } from '../../../../lib/base/clock.ts'
import { eventually } from '../../../support/gateway.ts'

describe('Viewers', () => {
  let dashboard: Dashboard
  let viewers: Viewers
  let server: Server
  let url = ''
  let made = 0
  const tick = () => {
    mock.timers.tick(5000)
    return new Promise(setImmediate)
  }
  before(async () => {
    mock.timers.enable({ apis: ['setInterval'] })
    const none = async () => []
    dashboard = new Dashboard({
      clock: systemClock,
      config: () => ({ models: [] }),
      backends: none,
      gateways: none,
      periods: none,
      unready: () => [],
    })
    viewers = new Viewers(dashboard, () => `update ${++made}`)
    server = createServer((_req, res) => {
      if (!viewers.add(res)) res.writeHead(503).end()
    }).listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
    dashboard.close()
    mock.timers.reset()
  })

  it('get each update, which is encoded once, and are at most 64', async () => {
    const open = await Promise.all(Array.from({ length: 64 }, () => fetch(url)))
    expect(open.every(({ status }) => status === 200)).equal(true)
    expect(open[0]!.headers.get('content-type')).equal('text/event-stream')
    expect((await fetch(url)).status).equal(503)
    await tick()
    expect(made).equal(1)
    const texts = open.map(async ({ body }) => {
      let text = ''
      for await (const piece of body!) text += new TextDecoder().decode(piece)
      return text
    })
    viewers.close()
    for (const text of await Promise.all(texts)) expect(text).contain('data: update 1\n\n')
    await eventually(async () => (await fetch(url)).status === 200)
  })

  it('cost nothing after all have disconnected', async () => {
    await tick()
    expect(made).equal(1)
  })
})
