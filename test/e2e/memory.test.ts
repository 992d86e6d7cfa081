import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { RawConnection } from '../support/connection.ts'
import { ACCOUNT, eventually, KEY, serverlessAccount, type TestGateway, testGateway } from '../support/gateway.ts'

const OTHER_KEY = 'service_other_secret'
const THIRD_KEY = 'service_third_secret'
const CHAT = '/v1/chat/completions'
const LIMIT = 8_000_000

/** A tool whose schema is a list of empty objects: three bytes of JSON need 64 bytes of heap. */
const bomb = (objects: number) =>
  `{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"f",` +
  `"parameters":{"type":"object","properties":{"a":{"enum":[${Array<string>(objects).fill('{}').join(',')}]}}}}}]}`

const EMPTY = { type: 'object', properties: {} }
const HELLO = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }

describe('memory of request bodies', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway
  let open: RawConnection[] = []

  before(async () => {
    backend = await scriptedBackend(reply())
    gateway = await testGateway({
      backends: [backend.url],
      model: { capabilities: { tools: true, vision: true } },
      more: {
        image_fetch: { allow: ['127.0.0.0/8'] },
        memory: { bodies_bytes: LIMIT, account_share: 0.5, wait_ms: 200, idle_ms: 1000 },
        accounts: [
          serverlessAccount(ACCOUNT, KEY),
          serverlessAccount('7a2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e22', OTHER_KEY),
          serverlessAccount('7a2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e23', THIRD_KEY),
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
    await eventually(async () => (await gateway.metric('sluiceway_bodies_used_bytes')) === 0, 'everything given back')
    expect(await gateway.metric('sluiceway_bodies_waiting')).equal(0)
  })

  /** Sends the head and the beginning of a body. */
  const begin = (body: string, length = body.length, key = KEY) => {
    const connection = new RawConnection(gateway.url)
    connection.write(
      `POST ${CHAT} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-length: ${length}\r\n\r\n${body}`,
    )
    open.push(connection)
    return connection
  }

  it('is charged when a body begins, and never passes the limit', async () => {
    const text = bomb(50_000)
    const held = Array.from({ length: 40 }, () => begin(text.slice(0, -10), text.length))
    await eventually(async () => (await gateway.metric('sluiceway_bodies_used_bytes')) > 3 * text.length)
    expect(await gateway.metric('sluiceway_bodies_used_bytes')).most(LIMIT / 2)
    const probe = await gateway.post(CHAT, HELLO, { headers: { authorization: `Bearer ${OTHER_KEY}` } })
    expect(probe.status).equal(200)
    await Promise.all(held.map(({ closed }) => closed.catch(() => ''))).then(texts => {
      const statuses = held.map(({ received }) => Number(received.slice(9, 12)))
      expect(new Set(statuses), texts[0]).deep.equal(new Set([408, 429]))
    })
    const refused = held.find(({ received }) => received.startsWith('HTTP/1.1 429'))!
    expect(refused.received)
      .match(/retry-after: 1\r\n/i)
      .and.match(new RegExp(`ratelimit-limit: ${LIMIT / 2}\r\n`, 'i'))
      .and.contain('"code":"request_memory_exceeded"')
    expect(await gateway.metric('sluiceway_bodies_refused_total', 'account')).above(0)
  })

  it('is charged for what the values of a body weigh, when it is whole', async () => {
    let answer = () => {}
    backend.script = (...call) => {
      answer = () => void reply()(...call)
    }
    const text = bomb(40_000)
    const waiting = gateway.post(CHAT, text)
    try {
      await eventually(() => (backend.requests.at(-1)?.bytes.length ?? 0) > 40_000 * 3, 'the request at the backend')
      expect(await gateway.metric('sluiceway_bodies_used_bytes')).within(40_000 * 64, LIMIT / 2)
    } finally {
      answer()
      backend.script = reply()
    }
    expect((await waiting).status).equal(200)
  })

  it('is refused with 503 where all accounts together have used it', async () => {
    for (const key of [KEY, OTHER_KEY]) begin('{"model":', LIMIT / 2, key)
    await eventually(async () => (await gateway.metric('sluiceway_bodies_used_bytes')) === LIMIT)
    const response = await fetch(gateway.url + CHAT, {
      method: 'POST',
      headers: { authorization: `Bearer ${THIRD_KEY}` },
      body: JSON.stringify(HELLO),
    })
    const { error } = (await response.json()) as { error: { code: string } }
    expect([response.status, error.code]).deep.equal([503, 'gateway_overloaded'])
    expect(response.headers.get('retry-after')).equal('1')
  })

  it('is waited for without reading, and found when others are over', async () => {
    const first = begin('{"model":', LIMIT / 2 - 100)
    await eventually(async () => (await gateway.metric('sluiceway_bodies_used_bytes')) > 0)
    const waiting = gateway.post(CHAT, HELLO)
    await eventually(async () => (await gateway.metric('sluiceway_bodies_waiting')) === 1)
    first.socket.destroy()
    expect((await waiting).status).equal(200)
  })

  it('is not waited for by a body that needs more than an account may use', async () => {
    const response = await gateway.post(CHAT, bomb(60_000))
    const { error } = (await response.json()) as { error: { code: string } }
    expect([response.status, error.code]).deep.equal([413, 'request_body_too_large'])
  })

  it('lets a long text outside of the conversation pass', async () => {
    const description = 'tool "text"\n'.repeat(200_000)
    const tools = [{ type: 'function', function: { name: 'f', description, parameters: EMPTY } }]
    expect((await gateway.post(CHAT, { ...HELLO, tools })).status).equal(200)
    const sent = backend.requests.at(-1)!.body.tools as typeof tools
    expect(sent[0]!.function.description === description).equal(true)
  })

  describe('that plugins make of them', () => {
    const IMAGE = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(600_000)])
    /** Sends the beginning of an image, and the rest later. */
    let host: http.Server
    let rest: (() => void)[] = []

    before(async () => {
      host = http.createServer((_req, res) => {
        res.writeHead(200, { 'content-length': IMAGE.length }).write(IMAGE.subarray(0, 1000))
        rest.push(() => void res.end(IMAGE.subarray(1000)))
      })
      await new Promise<void>(resolve => host.listen(0, '127.0.0.1', resolve))
    })

    after(() => {
      host?.closeAllConnections()
      host?.close()
    })

    beforeEach(() => {
      rest = []
    })

    const picture = () => {
      const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/a.png`
      return { model: 'm', messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] }
    }
    const used = () => gateway.metric('sluiceway_bodies_used_bytes')
    const asOther = { headers: { authorization: `Bearer ${OTHER_KEY}` } }

    it('is charged for images that are fetched, before they have come, and refused above the share of an account', async () => {
      const waiting = [gateway.post(CHAT, picture()), gateway.post(CHAT, picture())]
      await eventually(async () => (await used()) >= 2 * 3 * IMAGE.length, 'two images')
      const refused = await gateway.post(CHAT, picture())
      expect(refused.status).equal(429)
      expect(await refused.text()).contain('request_memory_exceeded')
      expect((await gateway.post(CHAT, HELLO, asOther)).status).equal(200)
      for (const send of rest) send()
      expect((await Promise.all(waiting)).map(({ status }) => status)).deep.equal([200, 200])
    })

    it('is given back where the client disconnects while an image is fetched', async () => {
      const gone = new AbortController()
      const waiting = [1, 2].map(() => gateway.post(CHAT, picture(), { signal: gone.signal }).catch(() => undefined))
      await eventually(async () => (await used()) >= 2 * 3 * IMAGE.length, 'two images')
      gone.abort()
      await Promise.all(waiting)
      expect((await gateway.post(CHAT, HELLO, asOther)).status).equal(200)
    })

    it('is charged for files that are uploaded, as they are held', async () => {
      const upload = () => {
        const connection = new RawConnection(gateway.url)
        open.push(connection)
        connection.write(
          `POST /v1/files HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${KEY}\r\ncontent-length: 2000000\r\n` +
            'content-type: multipart/form-data; boundary=b\r\n\r\n--b\r\n' +
            'content-disposition: form-data; name="file"; filename="a.png"\r\n\r\n',
        )
        return connection
      }
      const most = Math.floor(LIMIT / 2 / (256 * 1024))
      for (let i = 0; i < most; i++) upload()
      await eventually(async () => (await used()) === most * 256 * 1024, 'all of them')
      const refused = upload()
      await eventually(() => refused.received.startsWith('HTTP/1.1 429'), 'the refusal')
      expect(refused.received).match(/retry-after: 1\r\n/i)
      expect((await gateway.post(CHAT, HELLO, asOther)).status).equal(200)
    })
  })

  it('is given back by forms and uploads that stall, as by bodies: 408', async () => {
    const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc'
    for (const path of ['/v1/files', '/v1/audio/transcriptions', CHAT]) {
      const connection = new RawConnection(gateway.url)
      open.push(connection)
      connection.write(
        `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${KEY}\r\ncontent-length: 2000000\r\n` +
          `content-type: multipart/form-data; boundary=b\r\n\r\n${part}`,
      )
      await eventually(() => connection.received.startsWith('HTTP/1.1 408'), path)
    }
  })

  it('is given back by requests that are answered, refused, cancelled and cut off', async () => {
    const long = JSON.stringify({ ...HELLO, messages: [{ role: 'user', content: 'word '.repeat(100_000) }] })
    const cancelled = new AbortController()
    const aborted = gateway.post(CHAT, long, { signal: cancelled.signal }).catch(() => undefined)
    const statuses = await Promise.all([
      gateway.post(CHAT, HELLO),
      gateway.post(CHAT, '{"model":'),
      gateway.post(CHAT, `${long.slice(0, -1)},`),
      gateway.post(CHAT, { ...HELLO, model: 'none' }),
      gateway.post('/v1/messages/count_tokens', HELLO),
    ]).then(responses => responses.map(({ status }) => status))
    cancelled.abort()
    await aborted
    expect(statuses).deep.equal([200, 400, 400, 404, 200])
    begin('{"model":', 1000).socket.resetAndDestroy()
  })
})
