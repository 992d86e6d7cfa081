/**
 * Requests of one tenant must not affect those of another (docs/DESIGN.md#ejection). One account sends requests that
 * fail in every way that a request can cause, another one sends ordinary requests.
 */
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import {
  delta,
  reply,
  type Script,
  type ScriptedBackend,
  scriptedBackend,
  sendEvent,
  startStream,
  status,
} from '../support/backend.ts'
import { ACCOUNT, eventually, KEY, serverlessAccount, type TestGateway, testGateway } from '../support/gateway.ts'

const OTHER_KEY = 'service_other_secret'
const POISON = 'poison'
/** Above the time of a reply on a busy machine. */
const FIRST_BYTE_MS = 3000

/** Ways in which a request makes a healthy backend fail. */
const POISONS: Readonly<Record<string, Script>> = {
  'a 500': status(500, { error: { message: 'index out of range', type: 'InternalServerError' } }),
  'a finish reason that means a failure': (res, { body }) => {
    if (body.stream !== true) {
      const choices = [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'error' }]
      return void res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices }))
    }
    startStream(res)
    sendEvent(res, delta({ content: 'x' }, 'error'))
    res.end('data: [DONE]\n\n')
  },
  'a broken stream': res => {
    startStream(res)
    sendEvent(res, delta({ content: 'x' }))
    setTimeout(() => res.destroy(), 5)
  },
  'a timeout': () => {},
  'an image that cannot be decoded': status(500, { error: { message: 'failed to process image', code: 500 } }),
  'an exception of the template': status(500, {
    error: { message: 'Jinja Exception: Conversation roles must alternate user/assistant', code: 500 },
  }),
  'a reset after the prompt': (_res, _request, req) => void req.socket.resetAndDestroy(),
}

/** Fails only requests that ask for it. */
const living = (poison: Script): Script => {
  const fine = reply()
  return (res, request, req) => (request.bytes.includes(POISON) ? poison : fine)(res, request, req)
}

describe('two tenants', () => {
  let backends: ScriptedBackend[]
  let gateway: TestGateway

  before(async () => {
    backends = [await scriptedBackend(), await scriptedBackend()]
  })

  afterEach(() => gateway.close())

  after(async () => {
    for (const backend of backends) await backend.close()
  })

  async function start(count: number, script: Script, model: JsonObject = {}): Promise<void> {
    for (const backend of backends) {
      backend.script = script
      backend.requests.length = 0
    }
    gateway = await testGateway({
      backends: backends.slice(0, count).map(({ url }) => url),
      model,
      more: {
        accounts: [serverlessAccount(ACCOUNT, KEY), serverlessAccount(ACCOUNT.replace(/^./, 'a'), OTHER_KEY)],
        timeouts: { first_byte_ms: FIRST_BYTE_MS },
      },
    })
  }

  async function send(key: string, content: string, path = '/v1/chat/completions', more: JsonObject = {}) {
    const body = path.endsWith('embeddings')
      ? { model: 'm', input: content }
      : { model: 'm', messages: [{ role: 'user', content }], ...more }
    const response = await gateway.post(path, body, { headers: { authorization: `Bearer ${key}` } })
    const text = await response.text()
    return { status: response.status, isServed: response.status === 200 && !text.includes('"error"'), text }
  }

  const bad = (stream = false) => send(KEY, POISON, undefined, { stream })
  const good = (stream = false) => send(OTHER_KEY, 'hi', undefined, { stream })
  const ejections = (reason = '') => gateway.metric('sluiceway_backend_ejections_total', reason)
  const isProbe = ({ bytes }: { bytes: Buffer }) => bytes.includes('"Hello"')

  for (const count of [1, 2]) {
    describe(`on ${count === 1 ? 'one backend' : 'two backends'}`, () => {
      for (const [name, poison] of Object.entries(POISONS)) {
        it(`share it although one provokes ${name}`, async () => {
          await start(count, living(poison))
          let sent = 0
          let served = 0
          // Bad requests that wait for their timeout take long.
          const rounds = name === 'a timeout' ? 3 : 10
          for (let round = 0; round < rounds; round++) {
            // More failures in a row than eject a backend, for both kinds of replies, without requests of others in
            // between.
            const failing = await Promise.all([true, false, true, false, true, false, true, false].map(bad))
            expect(failing.filter(({ isServed }) => isServed)).deep.equal([])
            for (const { isServed } of await Promise.all(
              [true, false, true, false, true, false, true, false, true, false].map(good),
            )) {
              sent++
              if (isServed) served++
            }
          }
          expect(served / sent).least(0.99)
          expect(await ejections()).equal(0)
          const probes = backends.flatMap(({ requests }) => requests.filter(isProbe)).length
          expect(probes).equal(await gateway.metric('sluiceway_backend_probes_total', 'ok'))
        })
      }
    })
  }

  for (const [name, poison] of Object.entries(POISONS)) {
    // These errors state that the request is at fault.
    if (/image|template/.test(name)) continue
    const broken: Script = poison

    it(`lose a backend that fails for everybody, by two accounts: ${name}`, async () => {
      await start(1, broken)
      for (let i = 0; i < 3; i++) await Promise.all([bad(true), good(true)])
      await eventually(async () => (await ejections()) === 1, 'an ejection')
    })

    it(`lose a backend that fails for everybody, by one account: ${name}`, async () => {
      await start(1, broken)
      await Promise.all([true, true, true, true, true].map(bad))
      await eventually(async () => (await ejections('probe')) === 1, 'an ejection')
      expect(backends[0]!.requests.some(isProbe)).equal(true)
    })
  }

  it('go on with the other backend while one is broken, which serves again after a probe request', async () => {
    await start(2, reply())
    const [first] = backends as [ScriptedBackend, ScriptedBackend]
    first.script = status(500, 'dead')
    await eventually(async () => {
      await bad()
      return (await ejections()) === 1
    }, 'an ejection')
    const before = first.requests.filter(request => !isProbe(request)).length
    for (let i = 0; i < 30; i++) expect((await good()).status).equal(200)
    expect(first.requests.filter(request => !isProbe(request)).length).equal(before)
    first.script = reply()
    await eventually(async () => (await gateway.metric('sluiceway_backend_up')) === 2, 'a probe request')
  })

  it('are told the error of the only backend, which is tried once a second', async () => {
    await start(1, status(500, 'dead'))
    const started = performance.now()
    for (let i = 0; i < 6; i++) expect((await (i % 2 === 0 ? bad() : good())).status).equal(502)
    await eventually(async () => (await ejections()) === 1, 'an ejection')
    for (let i = 0; i < 30; i++) expect(await good()).include({ status: 502 })
    const sent = backends[0]!.requests.filter(request => !isProbe(request)).length
    expect(sent).most(6 + 1 + (performance.now() - started) / 1000)
    backends[0]!.script = reply()
    await eventually(async () => (await good()).isServed, 'a good answer')
    expect((await good()).isServed).equal(true)
  })

  it('are told that no backend is healthy where it cannot be reached', async () => {
    await start(1, reply())
    const { url } = backends[0]!
    await backends[0]!.close()
    try {
      for (let i = 0; i < 5; i++) expect((await bad()).text).include('backend_connect_error')
      expect(await ejections('connection')).equal(1)
      expect((await good()).text).include('no_healthy_backends')
    } finally {
      backends[0] = await scriptedBackend()
      expect(backends[0].url).not.equal(url)
    }
  })

  it('share a byte pipe', async () => {
    const vectors: Script = res => {
      res.writeHead(200, { 'content-type': 'application/json' })
      res.end(JSON.stringify({ data: [{ embedding: [1] }], usage: { prompt_tokens: 1, total_tokens: 1 } }))
    }
    const fails = status(500, { error: { message: 'x' } })
    const script: Script = (res, request, req) => (request.bytes.includes(POISON) ? fails : vectors)(res, request, req)
    await start(1, script, { kind: 'embedding', capabilities: {} })
    for (let round = 0; round < 5; round++) {
      for (let i = 0; i < 6; i++) expect((await send(KEY, POISON, '/v1/embeddings')).status).equal(502)
      expect((await send(OTHER_KEY, 'hi', '/v1/embeddings')).status).equal(200)
    }
    const [probe] = backends[0]!.requests.filter(isProbe)
    expect([probe?.path, probe?.body]).deep.equal(['/v1/embeddings', { input: 'Hello', model: 'upstream-m' }])
    expect(await ejections()).equal(0)
    backends[0]!.script = fails
    await eventually(async () => {
      await send(KEY, POISON, '/v1/embeddings')
      return (await ejections('probe')) === 1
    }, 'an ejection')
  })

  it('pay for no probe request, and find none in their records', async () => {
    await start(1, living(POISONS['a 500']!))
    for (let i = 0; i < 5; i++) await bad()
    await eventually(() => backends[0]!.requests.some(isProbe), 'a probe request')
    expect(await gateway.metric('sluiceway_requests_total')).equal(5)
    expect(gateway.records().map(({ error_code }) => error_code)).deep.equal(Array(5).fill('backend_http_error'))
  })
})
