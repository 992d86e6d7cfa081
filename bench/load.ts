/** The load generator: raw sockets, precomputed requests, and only the parsing that finds the end of a reply. */
import net, { type Socket } from 'node:net'
import { serveCalls } from './helper.ts'
import { Histogram } from './stats.ts'
import { type Api, type Behaviour, PACES, PATHS, type Paced, requestBody, type Shape } from './workload.ts'

export interface Shot {
  readonly port: number
  /** Further header lines, each with its line end. */
  readonly headers: string
  readonly api: Api
  readonly behaviour: Behaviour
  readonly bytes: number
  readonly shape?: Shape
}

export interface RunOptions extends Shot {
  readonly connections: number
  readonly count: number
  /** Upper limit of the send rate; absent: as fast as the target reads. */
  readonly bytesPerMs?: number
}

export interface RunResult {
  readonly elapsedMs: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Size of a request body. */
  readonly bodyBytes: number
}

export interface OpenOptions extends Shot {
  readonly behaviour: Paced
  readonly streams: number
  /** Streams opened per second. */
  readonly perSecond: number
}

export interface Gaps {
  readonly events: number
  /** Delay of the reads of a stream beyond its pace. */
  readonly extraP50Ms: number
  readonly extraP99Ms: number
  readonly extraMaxMs: number
}

/** Large bodies, created once. */
const requests = new Map<string, { readonly bytes: Buffer; readonly bodyBytes: number }>()

function request({ headers, api, behaviour, bytes, shape }: Shot): {
  readonly bytes: Buffer
  readonly bodyBytes: number
} {
  const key = `${api} ${behaviour} ${bytes} ${shape} ${headers}`
  let made = requests.get(key)
  if (made === undefined) {
    const body = Buffer.from(requestBody(api, behaviour, bytes, shape))
    const head = `POST ${PATHS[api]} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\naccept: */*\r\nuser-agent: bench\r\n${headers}content-length: ${body.length}\r\n\r\n`
    made = { bytes: Buffer.concat([Buffer.from(head), body]), bodyBytes: body.length }
    requests.set(key, made)
  }
  return made
}

function connect(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })
}

const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** Finds the end of each reply on a connection. Throws if a status is not 200. */
class ReplyReader {
  /** Remaining bytes: null before the head, -1 for chunked bodies. */
  #left: number | null = null

  /** Whether these bytes complete the reply. */
  feed(bytes: Buffer): boolean {
    let body = bytes.length
    if (this.#left === null) {
      const end = bytes.indexOf('\r\n\r\n')
      const head = bytes.toString('latin1', 0, end)
      if (!head.startsWith('HTTP/1.1 200')) throw new Error(bytes.toString('utf8', 0, 700))
      const length = /content-length: *(\d+)/i.exec(head)
      this.#left = length === null ? -1 : Number(length[1])
      body -= end + 4
    }
    if (this.#left >= 0) this.#left -= body
    const over = this.#left === -1 ? bytes.subarray(-5).equals(LAST_CHUNK) : this.#left <= 0
    if (over) this.#left = null
    return over
  }
}

/** Sends one request after another on every connection until `count` replies have arrived. */
async function run(options: RunOptions): Promise<RunResult> {
  const { connections, count, port, bytesPerMs = Infinity } = options
  const { bytes, bodyBytes } = request(options)
  const sockets = await Promise.all(Array.from({ length: connections }, () => connect(port)))
  const times = new Histogram()
  const started = performance.now()
  let sent = 0
  await new Promise<void>((resolve, reject) => {
    for (const socket of sockets) {
      const reply = new ReplyReader()
      let sentAt = 0
      const shoot = () => {
        if (sent === count) return
        sent++
        sentAt = performance.now()
        write(socket, bytes, bytesPerMs)
      }
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('the target closed a connection')))
      socket.on('data', received => {
        try {
          if (!reply.feed(received)) return
        } catch (error) {
          return reject(error as Error)
        }
        times.add(performance.now() - sentAt)
        if (times.count === count) resolve()
        else shoot()
      })
      shoot()
    }
  })
  const elapsedMs = performance.now() - started
  for (const socket of sockets) socket.removeAllListeners().on('error', ignore).destroy()
  return { elapsedMs, p50Ms: times.percentile(0.5), p99Ms: times.percentile(0.99), bodyBytes }
}

/** Interval of the writes of a request with a limited rate. */
const PACE_MS = 2

function write(socket: Socket, bytes: Buffer, bytesPerMs: number): void {
  if (bytesPerMs === Infinity) return void socket.write(bytes)
  const started = performance.now()
  let at = 0
  const timer = setInterval(() => {
    const due = Math.floor((performance.now() - started) * bytesPerMs)
    socket.write(bytes.subarray(at, due))
    at = due
    if (at >= bytes.length) clearInterval(timer)
  }, PACE_MS)
}

interface Stream {
  readonly socket: Socket
  readonly paceMs: number
  lastAt: number
}

let streams: Stream[] = []
let gaps: Histogram | null = null
let received = 0
let failed: Error | null = null

/** Opens streams that run until close(). Resolves when each has received data. */
async function open(options: OpenOptions): Promise<void> {
  const { bytes } = request(options)
  const paceMs = PACES[options.behaviour]
  const first: Promise<void>[] = []
  for (let i = 0; i < options.streams; i++) {
    const socket = await connect(options.port)
    const stream: Stream = { socket, paceMs, lastAt: 0 }
    streams.push(stream)
    first.push(new Promise(resolve => socket.once('data', () => resolve())))
    socket.on('data', read => listen(stream, read))
    socket.on('error', error => {
      failed ??= error
    })
    socket.on('close', () => {
      failed ??= new Error('a stream ended early')
    })
    socket.write(bytes)
    if (i % 10 === 9) await sleep(10_000 / options.perSecond)
  }
  await Promise.race([Promise.all(first), sleep(20_000).then(() => Promise.reject(new Error('streams do not start')))])
  if (failed !== null) throw failed
}

function listen(stream: Stream, read: Buffer): void {
  const now = performance.now()
  if (stream.lastAt === 0 && !read.subarray(0, 12).equals(OK)) failed ??= new Error(read.toString('utf8', 0, 700))
  if (gaps !== null) {
    if (stream.lastAt !== 0) gaps.add(now - stream.lastAt - stream.paceMs)
    for (let at = read.indexOf('data: '); at >= 0; at = read.indexOf('data: ', at + 6)) received++
  }
  stream.lastAt = now
}

const OK = Buffer.from('HTTP/1.1 200')

function startGaps(): void {
  gaps = new Histogram()
  received = 0
}

function stopGaps(): Gaps {
  if (failed !== null) throw failed
  const taken = gaps!
  gaps = null
  return {
    events: received,
    extraP50Ms: taken.percentile(0.5),
    extraP99Ms: taken.percentile(0.99),
    extraMaxMs: taken.max,
  }
}

function close(): void {
  for (const { socket } of streams) socket.removeAllListeners().on('error', ignore).destroy()
  streams = []
  failed = null
}

function sleep(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

function ignore(): void {}

serveCalls({ run, open, startGaps, stopGaps, close })
