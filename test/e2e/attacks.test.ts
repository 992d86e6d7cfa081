/** Attacks of one account, like those of bench/attack with fewer requests. */
import { expect } from 'chai'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { RawConnection } from '../support/connection.ts'
import { ACCOUNT, eventually, KEY, serverlessAccount, type TestGateway, testGateway } from '../support/gateway.ts'
import { floodingBackend } from '../support/heavy.ts'

const OTHER_KEY = 'service_other_secret'
const CHAT = '/v1/chat/completions'
const HELLO = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }

const list = (count: number, item: (index: number) => string) => Array.from({ length: count }, (_, i) => item(i)).join()
const withTools = (tools: string) => `{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[${tools}]}`
const tool = (parameters: string, description = 'd', name = 'f') =>
  `{"type":"function","function":{"name":"${name}","description":"${description}","parameters":${parameters}}}`
const enumOf = (values: string) => `{"type":"object","properties":{"a":{"enum":[${values}]}}}`
const EMPTY = '{"type":"object","properties":{}}'

describe('attacks of one account', () => {
  let backend: ScriptedBackend
  let flood: Awaited<ReturnType<typeof floodingBackend>>
  let gateway: TestGateway
  let open: RawConnection[] = []

  before(async () => {
    backend = await scriptedBackend(reply())
    flood = await floodingBackend()
    gateway = await testGateway({
      backends: [],
      more: {
        models: [
          { id: 'm', capabilities: { tools: true }, backends: [{ url: backend.url }] },
          { id: 'flood', backends: [{ url: flood.url }] },
        ],
        memory: { bodies_bytes: 40_000_000, wait_ms: 300, idle_ms: 1500 },
        timeouts: { client_idle_ms: 1500 },
        accounts: [
          serverlessAccount(ACCOUNT, KEY),
          serverlessAccount('7a2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e22', OTHER_KEY),
        ],
      },
    })
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
    await flood?.close()
  })

  afterEach(async () => {
    for (const { socket } of open) socket.destroy()
    open = []
    for (const [what, metric] of [
      ['memory', 'sluiceway_bodies_used_bytes'],
      ['bodies that wait', 'sluiceway_bodies_waiting'],
      ['bodies that are read', 'sluiceway_bodies_reading'],
      ['requests in flight', 'sluiceway_requests_in_flight'],
      ['leases on backends', 'sluiceway_backend_requests_in_flight'],
    ] as const)
      await eventually(async () => (await gateway.metric(metric)) === 0, `no ${what}`)
    // An exchange whose client has disconnected may end in a later tick.
    await eventually(() => gateway.gateway.exchanges === 0, 'no exchange')
  })

  /** Sends a body over many connections, without its last bytes if some are withheld. */
  const attack = (connections: number, body: string, withheld = 0) => {
    for (let i = 0; i < connections; i++) {
      const connection = new RawConnection(gateway.url)
      connection.write(
        `POST ${CHAT} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${KEY}\r\ncontent-type: application/json\r\n` +
          `content-length: ${body.length}\r\n\r\n${body.slice(0, body.length - withheld)}`,
      )
      open.push(connection)
    }
  }

  const statuses = () => open.map(({ received }) => Number(received.slice(9, 12)))

  /** Sends chats of the other account until all connections of the attack have been answered. */
  const chatsUntil = async (isOver: () => boolean) => {
    const seen: number[] = []
    await eventually(async () => {
      const { status } = await gateway.post(CHAT, HELLO, { headers: { authorization: `Bearer ${OTHER_KEY}` } })
      seen.push(status)
      return isOver()
    }, 'the end of the attack')
    expect(new Set(seen)).deep.equal(new Set([200]))
  }
  const answered = () => statuses().every(status => status > 0)

  it('unfinished bodies over many connections are given up, and others are served meanwhile', async () => {
    attack(60, withTools(tool(enumOf(list(60_000, () => '{}')))), 20)
    await chatsUntil(answered)
    expect(new Set(statuses())).deep.equal(new Set([408, 429]))
  })

  it('lists of objects are charged, wait and pass one after the other', async () => {
    const values = list(20_000, i => `{"k${i}":1}`)
    attack(12, withTools(tool(enumOf(values))))
    await chatsUntil(answered)
    expect(
      statuses().every(status => [200, 400, 422, 429].includes(status)),
      `${statuses()}`,
    ).equal(true)
  })

  it('large descriptions of tools wait for memory, or are refused', async () => {
    attack(12, withTools(tool(EMPTY, 'x'.repeat(4_000_000))))
    await chatsUntil(answered)
    expect(statuses()).contain(200)
    expect(
      statuses().every(status => [200, 429].includes(status)),
      `${statuses()}`,
    ).equal(true)
  })

  it('many tools with long texts are the same', async () => {
    attack(12, withTools(list(20, i => tool(EMPTY, 'x'.repeat(200_000), `f${i}`))))
    await chatsUntil(answered)
    expect(
      statuses().every(status => [200, 429].includes(status)),
      `${statuses()}`,
    ).equal(true)
  })

  it('streams that nobody reads are let go, and others are served meanwhile', async () => {
    const body = JSON.stringify({ ...HELLO, model: 'flood', stream: true })
    attack(8, body)
    for (const { socket } of open) socket.pause()
    await eventually(() => gateway.gateway.exchanges >= 8, 'all streams')
    await chatsUntil(() => gateway.gateway.exchanges === 0)
    expect(await gateway.metric('sluiceway_requests_total', 'status="499"')).equal(8)
  })

  it('clients that disconnect all at once leave nothing', async () => {
    attack(60, JSON.stringify({ ...HELLO, model: 'flood', stream: true }))
    await eventually(() => gateway.gateway.exchanges >= 60, 'all streams')
    for (const { socket } of open) socket.resetAndDestroy()
    await chatsUntil(() => gateway.gateway.exchanges === 0)
  })
})
