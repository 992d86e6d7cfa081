import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { seededRandom } from '../../simulator/random.ts'
import { type Script, type ScriptedBackend, scriptedBackend, sendEvent, startStream } from '../support/backend.ts'
import { pooled } from '../support/by-hand.ts'
import { drained } from '../support/drained.ts'
import { collectGarbage } from '../support/garbage.ts'
import { eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { SURFACES, saidTo, streamEvent, wholeReply } from '../support/surfaces.ts'

/** The phase in which a client disconnects. */
const PHASES = ['head', 'body', 'waiting', 'events', 'flood', 'sent ahead', 'refused', 'fault', 'good'] as const
type Phase = (typeof PHASES)[number]

/** Scripts of a backend that does not answer. */
const FAULTS = [
  'reset',
  'close',
  'status 500',
  'status 503',
  'status 429',
  'garbage',
  'half',
  'error event',
  'no finish',
] as const

const LIMIT = 40
const COUNT = 1000

describe('clients that disconnect, in every phase on every surface', () => {
  let backends: ScriptedBackend[]
  let gateway: TestGateway
  let port: number
  const warnings: string[] = []
  const onWarning = ({ name, message }: Error) => {
    if (name === 'MaxListenersExceededWarning') warnings.push(message)
  }
  /** Times at which connections to the backend were closed, by the text of the request. */
  const freed = new Map<string, number>()

  const script: Script = async (res, request) => {
    const said = saidTo(request)
    const [kind, fault] = said.split('|')
    res.on('close', () => freed.set(said, performance.now()))
    if (kind === 'waiting' || kind === 'sent ahead') return
    if (kind === 'events' || kind === 'flood') {
      startStream(res)
      const text = kind === 'flood' ? 'x'.repeat(20_000) : 'x'
      while (!res.destroyed) {
        sendEvent(res, streamEvent(request, text))
        if (kind === 'events') await sleep(5)
        else if (res.writableNeedDrain) await drained(res)
      }
      return
    }
    if (kind === 'fault') return misbehave(fault!, res, request)
    if (request.body.stream !== true) return void res.end(JSON.stringify(wholeReply(request, 'fine')))
    startStream(res)
    sendEvent(res, streamEvent(request, 'fine'))
    sendEvent(res, streamEvent(request, undefined, 'stop'))
    res.end('data: [DONE]\n\n')
  }

  const misbehave = (fault: string, res: Parameters<Script>[0], request: Parameters<Script>[1]) => {
    if (fault === 'reset') return void res.socket?.resetAndDestroy()
    if (fault === 'close') return void res.socket?.end()
    if (fault.startsWith('status')) {
      res.writeHead(Number(fault.slice(7)), { 'content-type': 'text/plain' })
      return void res.end('no')
    }
    if (fault === 'garbage') return void res.socket?.end('not HTTP at all\r\n\r\n')
    startStream(res)
    sendEvent(res, streamEvent(request, 'half of'))
    if (fault === 'half') return void setTimeout(() => res.socket?.resetAndDestroy(), 5)
    if (fault === 'error event') sendEvent(res, { error: { message: 'engine died', code: 500 } })
    res.end('data: [DONE]\n\n')
  }

  before(async () => {
    process.on('warning', onWarning)
    backends = await Promise.all([scriptedBackend(script), scriptedBackend(script)])
    gateway = await testGateway({
      backends: backends.map(({ url }) => url),
      model: { max_concurrency: LIMIT },
      account: { plan: 'limited' },
      more: { plans: { limited: { concurrency: LIMIT } } },
    })
    port = Number(new URL(gateway.url).port)
  })

  after(async () => {
    process.off('warning', onWarning)
    await gateway?.close()
    for (const backend of backends ?? []) await backend.close()
  })

  const connect = () =>
    new Promise<net.Socket>(resolve => {
      const socket = net.connect(port, '127.0.0.1', () => resolve(socket))
      socket.on('error', () => {})
    })

  const leave = (socket: net.Socket, hard: boolean) => {
    if (hard) socket.resetAndDestroy()
    else socket.destroy()
  }

  /** Milliseconds from the disconnect until the backend was free. */
  const delays: number[] = []
  let sent = 0

  const tryOne = async (random: () => number, phase: Phase) => {
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
    const surface = pick(SURFACES)
    const said = `${phase}|${pick(FAULTS)}|${++sent}`
    const body = JSON.stringify(surface.body(said, phase === 'events' || phase === 'flood' || random() < 0.5))
    const badly = phase === 'refused' ? body.replace('"model"', '"modell"') : body
    const head =
      `POST ${surface.path} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${KEY}\r\n` +
      `Content-Length: ${Buffer.byteLength(badly)}\r\n\r\n`
    const request = head + badly
    const socket = await connect()
    const hard = random() < 0.5
    if (phase === 'flood') socket.pause()
    else socket.resume()
    if (phase === 'head' || phase === 'body') {
      const start = phase === 'head' ? 10 : head.length
      socket.write(request.slice(0, start + Math.floor(random() * 30)))
      await sleep(random() * 10)
      return leave(socket, hard)
    }
    socket.write(phase === 'sent ahead' ? request + request : request)
    if (phase === 'refused' || phase === 'fault' || phase === 'good') {
      await new Promise(resolve => {
        socket.once('data', () => setTimeout(resolve, random() * 10))
        socket.once('close', resolve)
      })
      return leave(socket, hard)
    }
    const seen = () => backends.some(({ requests }) => requests.some(one => saidTo(one) === said))
    await eventually(seen, `the backend sees '${said}'`)
    await sleep(phase === 'flood' ? 30 : random() * 20)
    const left = performance.now()
    leave(socket, hard)
    // Long before any timeout of the gateway.
    await eventually(() => freed.has(said), `the backend is free of '${said}'`, 20_000)
    delays.push(freed.get(said)! - left)
  }

  const tryMany = async (count: number, seed: number) => {
    const random = seededRandom(seed)
    const phases = Array.from({ length: count }, (_, i) => PHASES[i % PHASES.length]!)
    await pooled(phases, 16, phase => tryOne(random, phase))
    for (const backend of backends) backend.requests.length = backend.aborted.length = 0
    freed.clear()
  }

  const settled = async () => {
    await eventually(() => gateway.gateway.exchanges === 0, 'no exchange')
    for (const name of [
      'sluiceway_requests_in_flight',
      'sluiceway_backend_requests_in_flight',
      'sluiceway_store_lag_records',
    ]) {
      await eventually(async () => (await gateway.metric(name)) === 0, `${name} at zero`)
    }
  }

  const sockets = () => process.getActiveResourcesInfo().filter(name => name.includes('TCPSocket')).length

  it('free their backend, their leases and their memory', async () => {
    // Permanent allocations are made by the first requests.
    await tryMany(COUNT / 4, 1)
    await settled()
    collectGarbage()
    const before = { heap: process.memoryUsage().heapUsed, sockets: sockets() }
    await tryMany(COUNT, 2)
    await settled()
    await sleep(50)
    expect(warnings).deep.equal([])
    collectGarbage()
    expect(process.memoryUsage().heapUsed - before.heap).below(4_000_000)
    expect(sockets()).most(before.sockets + LIMIT)
    if (process.env.FIGURES) {
      delays.sort((a, b) => a - b)
      const at = (share: number) => delays[Math.floor(delays.length * share)]
      console.log({ n: delays.length, p50: at(0.5), p99: at(0.99), max: delays.at(-1) })
    }
  })

  it('leave exactly one record each', async () => {
    const proxied = await Promise.all(
      SURFACES.map(({ name }) => gateway.metric('sluiceway_requests_total', `route="${name}"`)),
    )
    const exchanges = proxied.reduce((sum, n) => sum + n)
    expect(exchanges).greaterThan(COUNT)
    expect(await gateway.metric('sluiceway_journal_records_total')).equal(exchanges)
    expect(await gateway.metric('sluiceway_store_records_total')).equal(exchanges)
    expect(await gateway.metric('sluiceway_journal_lost_records_total')).equal(0)
  })

  it('keep no lease: the account and the model have their whole limit', async () => {
    await eventually(async () => (await gateway.metric('sluiceway_backend_up')) >= 1, 'a backend is up')
    const held = await Promise.all(
      Array.from({ length: LIMIT }, async (_, i) => {
        const socket = await connect()
        const body = JSON.stringify(SURFACES[i % 4]!.body('waiting', i % 2 === 0))
        socket.write(
          `POST ${SURFACES[i % 4]!.path} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        )
        return socket
      }),
    )
    const seen = () =>
      backends.reduce((sum, { requests }) => sum + requests.filter(one => saidTo(one) === 'waiting').length, 0)
    await eventually(() => seen() === LIMIT, `${LIMIT} requests at once`)
    const one = await gateway.post('/v1/chat/completions', SURFACES[0]!.body('good', false))
    expect(one.status).equal(429)
    expect(await one.text()).contain('concurrency_limit_exceeded')
    for (const socket of held) socket.destroy()
    await settled()
    const again = await gateway.post('/v1/chat/completions', SURFACES[0]!.body('good', false))
    expect(again.status).equal(200)
  })
})
