import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import { EMPTY_BODY } from '../../../../lib/body/index.ts'
import { defaultChain } from '../../../../lib/config/default-chain.ts'
import type { Exchange } from '../../../../lib/core/exchange.ts'
import { chat } from '../../../../lib/core/slots.ts'
import { Incoming } from '../../../../lib/engines/replies/response-stream.ts'
import { delta, events, type ScriptedBackend, scriptedBackend, textEvents, USAGE } from '../../../support/backend.ts'
import { eventually, type TestGateway, testGateway } from '../../../support/gateway.ts'

const lib = (file: string) => new URL(`../../../../lib/${file}`, import.meta.url).href

/** A plugin whose transformer fails as the request's header `x-fault` asks, and which records how exchanges end. */
const FAULTY = `
import { fail, failure } from '${lib('errors/errors.ts')}'
import { Transformer } from '${lib('canonical/reply.ts')}'

class Faulty extends Transformer {
  constructor(where) { super(); this.where = where; this.count = 0 }
  chunk(chunk) {
    this.count++
    if (this.where === 'chunk' || (this.where === 'third chunk' && this.count === 3)) throw new TypeError('/secret/transformer.ts')
    if (this.where === 'refuses') fail('http_403', { problem: 'Not this.' })
    if (this.where === 'fails' && this.count === 3) return this.next.fail(failure('backend_overloaded', { model: 'm' }))
    this.next.chunk(chunk)
  }
  end() {
    if (this.where === 'end') throw new TypeError('/secret/transformer.ts')
    if (this.where === 'refuses the end') fail('http_403', { problem: 'Not this.' })
    if (this.where === 'fails at the end') return this.next.fail(failure('backend_overloaded', { model: 'm' }))
    this.next.end()
  }
  fail(error) {
    if (this.where !== 'swallows') this.next.fail(error)
  }
}

export const ends = []
export const replying = []
export default {
  name: 'faulty',
  summary: 'Fails where it is told to.',
  routes: { proxied: true },
  setup: () => ({
    transform(exchange) {
      replying[0] = exchange
      const where = exchange.headers['x-fault']
      if (where === 'transform') throw new TypeError('/secret/transformer.ts')
      return where === undefined ? undefined : new Faulty(where)
    },
    onFinish: ({ outcome, status, brokeMidStream, error }) =>
      void ends.push([outcome, status, brokeMidStream, error?.code].join(' ')),
  }),
}
`

const messages = [{ role: 'user', content: 'hi' }]

/** Tests failures of transformers. test/e2e/pipe.test.ts tests failures of backends. */
describe('engines/replies/response-stream', () => {
  let dir: string
  let backend: ScriptedBackend
  let gateway: TestGateway
  let ends: string[]
  let replying: Exchange[]

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
    const file = join(dir, 'faulty.mjs')
    writeFileSync(file, FAULTY)
    backend = await scriptedBackend()
    const plugins = [...defaultChain().map(use => ({ use })), { use: file }]
    gateway = await testGateway({
      backends: [backend.url],
      more: { plugins: plugins as unknown as JsonObject[], timeouts: { idle_ms: 1500, keep_alive_ms: 150 } },
    })
    const plugin = (await import(file)) as { ends: string[]; replying: Exchange[] }
    ends = plugin.ends
    replying = plugin.replying
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  beforeEach(() => {
    ends.length = 0
    backend.script = events(...textEvents('one two three'))
  })

  /** Every exchange ends once and releases its leases. */
  afterEach(async () => {
    await eventually(async () => (await gateway.metric('sluiceway_requests_in_flight')) === 0, 'no request in flight')
    expect(await gateway.metric('sluiceway_backend_requests_in_flight')).equal(0)
    expect(
      await gateway.metric('sluiceway_backend_up'),
      'a failure of a transformer does not count against the backend',
    ).equal(1)
    expect(ends).lengthOf(1)
  })

  async function send(fault: string, stream: boolean) {
    const headers = fault === '' ? {} : { 'x-fault': fault }
    const response = await gateway.post('/v1/chat/completions', { model: 'm', stream, messages }, { headers })
    const text = await response.text()
    expect(text).not.contain('/secret')
    return { status: response.status, text }
  }

  /** The error of the last event. */
  const inBand = (text: string) =>
    (JSON.parse(text.trim().split('\n\n').at(-1)!.replace('data: ', '')) as { error: JsonObject }).error

  it('passes when no transformer refuses', async () => {
    expect((await send('', true)).text).match(/\[DONE\]\n\n$/)
    expect(ends).deep.equal(['done 200 false '])
  })

  for (const fault of ['chunk', 'third chunk', 'end']) {
    it(`reports in-band when a transformer throws at the ${fault}`, async () => {
      const { status, text } = await send(fault, true)
      expect(status).equal(200)
      expect(text).not.contain('[DONE]')
      expect(inBand(text)).include({ code: 'internal_error' })
      expect(ends).deep.equal(['failed 200 true internal_error'])
    })
  }

  for (const fault of ['chunk', 'end']) {
    it(`answers 500 when a transformer throws at the ${fault} of a JSON reply`, async () => {
      const { status, text } = await send(fault, false)
      expect(status).equal(500)
      expect(JSON.parse(text)).nested.include({ 'error.code': 'internal_error' })
      expect(ends).deep.equal(['failed 500 false internal_error'])
    })
  }

  it('reports a plugin that cannot create its transformer when a silent stream needs a keep-alive comment', async () => {
    backend.script = res => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    }
    expect((await send('transform', true)).status).equal(500)
  })

  it('answers with a status when a plugin cannot create its transformer', async () => {
    for (const stream of [true, false]) {
      ends.length = 0
      expect((await send('transform', stream)).status).equal(500)
      expect(ends).deep.equal(['failed 500 false internal_error'])
    }
  })

  it('names the origin of a refusal: the plugin that could not create its transformer, a transformer, or the backend', async () => {
    const counted = (plugin: string, code: string) =>
      gateway.metric('sluiceway_refusals_total', `{plugin="${plugin}",code="${code}"}`)
    const cases = [
      ['transform', 'faulty', 'internal_error'],
      ['chunk', 'transformer', 'internal_error'],
      ['end', 'transformer', 'internal_error'],
      ['refuses', 'transformer', 'http_403'],
    ] as const
    for (const [fault, plugin, code] of cases) {
      const before = await counted(plugin, code)
      ends.length = 0
      await send(fault, false)
      expect(await counted(plugin, code), fault).equal(before + 1)
    }
    backend.script = res => void res.writeHead(500).end('oops')
    ends.length = 0
    await send('none', false)
    expect(await counted('backend', 'backend_http_error')).equal(1)
  })

  it("refuses with a transformer's own code", async () => {
    for (const fault of ['refuses', 'refuses the end']) {
      ends.length = 0
      const { text } = await send(fault, true)
      expect(inBand(text)).include({ code: 'http_403', message: 'Not this.' })
      ends.length = 0
      expect(await send(fault, false)).include({ status: 403 })
      expect(ends).deep.equal(['failed 403 false http_403'])
    }
  })

  it('cancels the backend when a transformer fails by itself, and reports to the client once', async () => {
    backend.script = res => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      for (let i = 0; i < 5; i++) res.write(`data: ${JSON.stringify(delta({ content: 'x' }))}\n\n`)
    }
    for (const stream of [true, false]) {
      ends.length = 0
      const aborted = backend.aborted.length
      const { status, text } = await send('fails', stream)
      expect(text.match(/backend_overloaded/g)).lengthOf(2)
      expect(status).equal(stream ? 200 : 429)
      expect(ends).deep.equal([`failed ${status} ${stream} backend_overloaded`])
      await eventually(() => backend.aborted.length > aborted, 'the abort')
    }
  })

  it('reports a transformer that fails at the end', async () => {
    expect(inBand((await send('fails at the end', true)).text)).include({ code: 'backend_overloaded' })
    ends.length = 0
    expect(await send('fails at the end', false)).include({ status: 429 })
  })

  it('reports a failure that a transformer does not pass on', async () => {
    backend.script = res => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.write(`data: ${JSON.stringify(delta({ content: 'x' }))}\n\n`)
      setTimeout(() => res.destroy(), 20)
    }
    expect(inBand((await send('swallows', true)).text)).include({ code: 'backend_http_error' })
  })

  it('keeps no conversation in memory while a reply streams', async () => {
    backend.script = res => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.write(`data: ${JSON.stringify(delta({ content: 'x' }))}\n\n`)
    }
    const long = [{ role: 'user', content: 'x'.repeat(200_000) }]
    const abort = new AbortController()
    const sent = { model: 'm', stream: true, messages: long }
    const response = await gateway.post('/v1/chat/completions', sent, { signal: abort.signal })
    const { requestBody, bodyBytes } = replying[0]!
    expect(requestBody).equal(EMPTY_BODY)
    expect(bodyBytes).above(200_000)
    expect(replying[0]!.get(chat)).deep.include({ messages: [] })
    abort.abort()
    await response.text().catch(() => {})
  })

  it('ignores what a backend sends after the end', async () => {
    backend.script = res => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of textEvents('one')) res.write(`data: ${JSON.stringify(event)}\n\n`)
      res.write('data: [DONE]\n\n')
      res.end(`data: ${JSON.stringify(delta({ content: 'late' }))}\n\n`)
    }
    const { text } = await send('', true)
    expect(text).match(/\[DONE\]\n\n$/)
    expect(text).not.contain('late')
  })

  it('is not delayed by a backend that keeps the connection open after the end', async () => {
    backend.script = res => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of textEvents('one')) res.write(`data: ${JSON.stringify(event)}\n\n`)
      res.write('data: [DONE]\n\n')
    }
    const aborted = backend.aborted.length
    expect((await send('', true)).text).match(/\[DONE\]\n\n$/)
    expect(backend.aborted.length, 'it still is').equal(aborted)
    await eventually(() => backend.aborted.length > aborted, 'the close')
  })

  it('buffers at most 64 MB of a JSON reply', async () => {
    backend.script = res => {
      res.writeHead(200, { 'content-type': 'application/json' })
      const megabyte = Buffer.alloc(1024 * 1024, ' ')
      for (let i = 0; i < 64; i++) res.write(megabyte)
      res.write(' ')
    }
    const aborted = backend.aborted.length
    const { status, text } = await send('', false)
    expect(status).equal(502)
    expect(JSON.parse(text)).nested.include({ 'error.code': 'backend_http_error' })
    await eventually(() => backend.aborted.length > aborted, 'the close')
  })

  it('limits the time it waits for the rest of a JSON reply', async () => {
    backend.script = res => {
      res.writeHead(200, { 'content-type': 'application/json' })
      res.write('{"choices":')
    }
    const { status, text } = await send('', false)
    expect(status).equal(504)
    expect(JSON.parse(text)).nested.include({ 'error.code': 'backend_timeout' })
  })

  it('does not treat a JSON reply without a finish reason as complete', async () => {
    backend.script = res => {
      res.writeHead(200, { 'content-type': 'application/json' })
      res.end(
        JSON.stringify({
          choices: [{ index: 0, message: { role: 'assistant', content: 'half' }, finish_reason: null }],
          usage: USAGE,
        }),
      )
    }
    const { status, text } = await send('', false)
    expect(status).equal(502)
    expect(text).not.contain('half')
  })
})

const EVENTS = 'data: one\n\nevent: error\ndata: two\n\n'

/** The data of the events, or the JSON of a reply that is not a stream. */
function read(type: string | undefined, ...texts: readonly string[]) {
  const events: string[] = []
  const incoming = new Incoming(type, (data, name) => void events.push(name === undefined ? data : `${name} ${data}`))
  for (const text of texts) incoming.feed(Buffer.from(text))
  const json = incoming.end()
  return json === undefined ? events : { json }
}

describe('engines/replies/incoming', () => {
  it('is a stream by its media type, in upper or lower case', () => {
    for (const type of ['text/event-stream', 'text/event-stream; charset=utf-8', 'Text/Event-Stream'])
      expect(read(type, EVENTS), type).deep.equal(['one', 'error two'])
  })

  it('is a stream if it begins as one, with any other media type', () => {
    for (const type of [undefined, '', 'text/plain; charset=utf-8', 'application/json']) {
      for (const start of ['', ': comment\n\n', '\ufeff', '\r\n\n', 'id: 1\nretry: 5\n'])
        expect(read(type, start + EVENTS), `${type} ${JSON.stringify(start)}`).deep.equal(['one', 'error two'])
    }
  })

  it('is JSON otherwise, in any pieces', () => {
    expect(read('application/json', '{"data":', ' 1}')).deep.equal({ json: { data: 1 } })
    expect(read(undefined, ' {"a":', '"data: x"}')).deep.equal({ json: { a: 'data: x' } })
    expect(read('application/json', 'null')).deep.equal({ json: null })
  })

  it('is unreadable if it is neither, ends inside an event, or is too large', () => {
    const unreadable = (cause: string, ...args: Parameters<typeof read>) =>
      expect(() => read(...args)).throw(Error, cause)
    for (const text of ['', '<html>', '{', 'database: x']) unreadable('the reply is not JSON', 'application/json', text)
    unreadable('the stream ended inside an event', 'text/event-stream', 'data: {"a"')
    unreadable('an event is too large', 'text/event-stream', `data: ${'x'.repeat(33 * 1024 * 1024)}`)
    unreadable('the reply is too large', 'application/json', ...new Array<string>(5).fill('x'.repeat(16 * 1024 * 1024)))
  })
})
