import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect } from 'chai'
import { requestTurns } from '../../../lib/base/turns.ts'
import { inTurns } from '../../../lib/http/request-turns.ts'
import { holdTurns } from '../../support/held-turns.ts'

const requestWith = (headers: Record<string, string>): IncomingMessage => {
  const req = new http.IncomingMessage(new Socket())
  Object.assign(req.headers, headers)
  return req
}
const res = {} as ServerResponse
const tick = () => new Promise(resolve => setImmediate(resolve))

describe('http/request-turns', () => {
  const begun: string[] = []
  const begin = inTurns(({ headers }) => void begun.push(headers.authorization ?? `${headers['x-api-key']}`))

  beforeEach(async () => {
    while (!requestTurns.isFree) await tick()
    begun.length = 0
  })

  it('begin a request at once where there is time', () => {
    begin(requestWith({ authorization: 'a' }), res)
    expect(begun).deep.equal(['a'])
  })

  it('spread many that come together over ticks, and lose none', async () => {
    for (let i = 0; i < 200; i++) begin(requestWith({ authorization: 'a' }), res)
    expect(begun.length).within(1, 20)
    let ticks = 0
    for (; begun.length < 200 && ticks < 1000; ticks++) await tick()
    expect(begun).length(200)
    expect(ticks).least(10)
  })

  it('go round those who ask, however many requests each of them has', async () => {
    const release = holdTurns(requestTurns)
    for (let i = 0; i < 50; i++) begin(requestWith({ authorization: 'a' }), res)
    begin(requestWith({ 'x-api-key': 'b' }), res)
    begin(requestWith({}), res)
    release()
    while (begun.length < 52) await tick()
    expect(begun.slice(0, 3)).deep.equal(['a', 'b', 'undefined'])
  })

  it('begin none whose client has disconnected meanwhile', async () => {
    const release = holdTurns(requestTurns)
    const gone = requestWith({ authorization: 'gone' })
    begin(gone, res)
    begin(requestWith({ authorization: 'here' }), res)
    gone.socket.destroy()
    release()
    while (begun.length === 0) await tick()
    await tick()
    expect(begun).deep.equal(['here'])
  })
})
