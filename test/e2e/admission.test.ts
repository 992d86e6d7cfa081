import type { ServerResponse } from 'node:http'
import net from 'node:net'
import { expect } from 'chai'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { RawConnection } from '../support/connection.ts'
import { ACCOUNT, eventually, KEY, serverlessAccount, type TestGateway, testGateway } from '../support/gateway.ts'

const SECOND_KEY = 'service_second_secret'
const OTHER_KEY = 'service_other_secret'
const CHAT = '/v1/chat/completions'
const HELLO = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })

const head = (key: string, length: number) =>
  `POST ${CHAT} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-length: ${length}\r\n\r\n`

describe('an account that opens everything it can', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway
  let open: RawConnection[] = []

  before(async () => {
    backend = await scriptedBackend(reply())
    gateway = await testGateway({
      backends: [backend.url],
      more: {
        admission: {
          connections_per_address: 20,
          requests_per_key: 8,
          requests_per_account: 10,
          bodies_per_key: 4,
          bodies_per_account: 6,
        },
        accounts: [
          serverlessAccount(ACCOUNT, KEY, SECOND_KEY),
          serverlessAccount('7a2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e22', OTHER_KEY),
        ],
      },
    })
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
  })

  afterEach(async () => {
    for (const { socket } of open) socket.destroy()
    open = []
    await eventually(() => gateway.gateway.exchanges === 0)
  })

  const send = (text: string) => {
    const connection = new RawConnection(gateway.url)
    connection.write(text)
    open.push(connection)
    return connection
  }
  const statuses = () => open.map(({ received }) => received.slice(9, 12)).filter(status => status !== '')
  const probe = () => gateway.post(CHAT, HELLO, { headers: { authorization: `Bearer ${OTHER_KEY}` } })

  it('cannot have more bodies read than its keys and itself may', async () => {
    for (let i = 0; i < 6; i++) send(head(KEY, HELLO.length) + HELLO.slice(0, -1))
    await eventually(() => statuses().length === 2)
    for (let i = 0; i < 4; i++) send(head(SECOND_KEY, HELLO.length) + HELLO.slice(0, -1))
    await eventually(() => statuses().length === 4)
    expect(new Set(statuses())).deep.equal(new Set(['429']))
    expect((await probe()).status).equal(200)
    const unfinished = open.filter(({ received }) => received === '')
    for (const connection of unfinished) connection.write(HELLO.slice(-1))
    await Promise.all(unfinished.map(connection => connection.until('200 OK')))
    expect(await gateway.metric('sluiceway_admission_refused_total', 'bodies_per_key')).equal(2)
    expect(await gateway.metric('sluiceway_admission_refused_total', 'bodies_per_account')).equal(2)
  })

  it('cannot have more requests in flight, and gets each place back when a response is over', async () => {
    const held: ServerResponse[] = []
    const answer = reply()
    backend.script = (res, request, req) => {
      if (request.bytes.includes('hold')) held.push(res)
      else return answer(res, request, req)
    }
    const hold = HELLO.replace('hi', 'hold')
    for (let i = 0; i < 8; i++) send(head(KEY, hold.length) + hold)
    await eventually(() => held.length === 8)
    const refused = await gateway.post(CHAT, HELLO)
    const { error } = (await refused.json()) as { error: { code: string; message: string } }
    expect([refused.status, error.code]).deep.equal([429, 'rate_limit_exceeded'])
    expect(error.message).contain('This key has 8 requests in flight')
    expect(refused.headers.get('retry-after')).equal('1')
    for (let i = 0; i < 3; i++) send(head(SECOND_KEY, hold.length) + hold)
    await eventually(() => statuses().length === 1)
    expect(open.find(({ received }) => received !== '')!.received).contain('This account has 10 requests in flight')
    for (let i = 0; i < 12; i++) expect((await probe()).status).equal(200)
    for (const res of held.splice(0)) answer(res, backend.requests[0]!, res.req)
    await eventually(() => gateway.gateway.exchanges === 0)
    expect((await gateway.post(CHAT, HELLO)).status).equal(200)
  })

  it('cannot hold more connections of its address; others still connect', async () => {
    const from = (localAddress: string) =>
      net.connect({ host: '127.0.0.1', port: Number(new URL(gateway.url).port), localAddress })
    const sockets = Array.from({ length: 40 }, () => from('127.0.0.2').on('error', () => {}))
    let closed = 0
    for (const socket of sockets) socket.on('close', () => closed++)
    await eventually(() => closed === 20)
    expect((await probe()).status).equal(200)
    for (const socket of sockets) socket.destroy()
    expect(await gateway.metric('sluiceway_connections_closed_total', 'refused')).equal(20)
  })
})
