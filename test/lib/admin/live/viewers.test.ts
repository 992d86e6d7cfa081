import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { LiveBoard } from '../../../../lib/admin/live/board.ts'
import { Viewers } from '../../../../lib/admin/live/viewers.ts'
import { systemClock } from '../../../../lib/base/clock.ts'
import { eventually } from '../../../support/gateway.ts'

describe('Viewers', () => {
  let board: LiveBoard
  let viewers: Viewers
  let server: Server
  let url = ''
  let made = 0
  before(async () => {
    const none = async () => []
    board = new LiveBoard({ clock: systemClock, everyMs: 3_600_000, backends: none, periods: none, unready: () => [] })
    viewers = new Viewers(board, () => `update ${++made}`)
    server = createServer((_req, res) => {
      if (!viewers.add(res)) res.writeHead(503).end()
    }).listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
    board.close()
  })

  it('get each update, which is made once for all, and at most 64 do', async () => {
    const open = await Promise.all(Array.from({ length: 64 }, () => fetch(url)))
    expect(open.every(({ status }) => status === 200)).equal(true)
    expect(open[0]!.headers.get('content-type')).equal('text/event-stream')
    expect((await fetch(url)).status).equal(503)
    await board.tick()
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

  it('that have all gone cost nothing', async () => {
    await board.tick()
    expect(made).equal(1)
  })
})
