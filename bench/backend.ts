/**
 * The mock backend: HTTP/1.1 over raw sockets with precomputed replies, so that it uses as little of the shared core as
 * possible. It supports only what the targets send: one request at a time per connection, with a Content-Length.
 */
import net, { type AddressInfo, type Socket } from 'node:net'
import { serveCalls } from './helper.ts'
import {
  type Behaviour,
  chunk,
  FLAT_EVENTS,
  FLAT_EVENTS_PER_WRITE,
  MODELS,
  PACES,
  type Paced,
  prose,
  vectorReply,
  wholeReply,
} from './workload.ts'

const STREAM_HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n'

/** An event in its own HTTP chunk, as inference engines send it. */
function event(data: string): string {
  const text = `data: ${data}\n\n`
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}

function wholeAnswer(type: string, body: string): Buffer {
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** Events with a token's length of text and a usage each, as different from one another as those of an engine. */
const deltas = (behaviour: Behaviour) =>
  Array.from({ length: FLAT_EVENTS_PER_WRITE }, (_, i) =>
    event(chunk(behaviour, { content: prose(6 * (i + 1)).slice(-6) }, null, 100 + i)),
  )
const opening = (behaviour: Behaviour) =>
  Buffer.from(STREAM_HEAD + event(chunk(behaviour, { role: 'assistant', content: '' }, null, 0)))

const JSON_ANSWER = wholeAnswer('application/json', wholeReply())
const VECTOR_ANSWER = wholeAnswer('application/json', vectorReply())
/** A health check, and the list of models: one that lacks a model would be asked again and again. */
const GET_ANSWER = wholeAnswer(
  'application/json',
  JSON.stringify({ object: 'list', data: Object.values(MODELS).map(id => ({ id, object: 'model' })) }),
)
const FLAT_OPENING = opening('flat')
const FLAT_WRITE = Buffer.from(deltas('flat').join(''))
const FLAT_ENDING = Buffer.from(`${event(chunk('flat', {}, 'stop', FLAT_EVENTS))}${event('[DONE]')}0\r\n\r\n`)

let events = 0

/** Streams grouped by the millisecond at which their next event is due, so that writes are spread evenly. */
class Pace {
  readonly #opening: Buffer
  readonly #events: readonly Buffer[]
  readonly #slots: readonly Set<Socket>[]
  #next = 0

  constructor(behaviour: Paced) {
    this.#opening = opening(behaviour)
    this.#events = deltas(behaviour).map(text => Buffer.from(text))
    this.#slots = Array.from({ length: PACES[behaviour] }, () => new Set<Socket>())
  }

  join(socket: Socket): void {
    socket.write(this.#opening)
    const slot = this.#slots[this.#next++ % this.#slots.length]!
    slot.add(socket)
    socket.on('close', () => slot.delete(socket))
  }

  /** Writes the events that are due. A late timer also writes those that were missed. */
  start(): void {
    const started = performance.now()
    let done = 0
    setInterval(() => {
      const due = Math.floor(performance.now() - started)
      for (; done < due; done++) {
        const round = Math.floor(done / this.#slots.length)
        const written = this.#events[round % this.#events.length]!
        for (const socket of this.#slots[done % this.#slots.length]!) {
          events++
          socket.write(written)
        }
      }
    }, 1)
  }
}

const paces = { paced: new Pace('paced'), calm: new Pace('calm'), slow: new Pace('slow') }

function runFlat(socket: Socket): void {
  let left = FLAT_EVENTS / FLAT_EVENTS_PER_WRITE
  const write = () => {
    while (left > 0) {
      left--
      events += FLAT_EVENTS_PER_WRITE
      if (!socket.write(FLAT_WRITE)) return
    }
    socket.off('drain', write)
    socket.write(FLAT_ENDING)
  }
  socket.on('drain', write)
  socket.write(FLAT_OPENING)
  write()
}

function reply(socket: Socket, isPost: boolean, body: string): void {
  if (!isPost) socket.write(GET_ANSWER)
  else if (body.includes(MODELS.paced)) paces.paced.join(socket)
  else if (body.includes(MODELS.calm)) paces.calm.join(socket)
  else if (body.includes(MODELS.slow)) paces.slow.join(socket)
  else if (body.includes(MODELS.flat)) runFlat(socket)
  else socket.write(body.includes(MODELS.vector) ? VECTOR_ANSWER : JSON_ANSWER)
}

/** Position of the model's name, which the targets write first. */
const MODEL_WITHIN = 120

function serve(socket: Socket): void {
  socket.setNoDelay(true)
  let head: Buffer | null = null
  let left = 0
  let isPost = false
  let start = ''
  socket.on('data', (bytes: Buffer) => {
    let rest = bytes
    if (left === 0) {
      if (head !== null) rest = Buffer.concat([head, bytes])
      const end = rest.indexOf('\r\n\r\n')
      if (end < 0) {
        head = rest
        return
      }
      head = null
      const text = rest.toString('latin1', 0, end)
      isPost = text.startsWith('POST')
      left = Number(/content-length: *(\d+)/i.exec(text)?.[1] ?? 0)
      start = ''
      rest = rest.subarray(end + 4)
    }
    if (start.length < MODEL_WITHIN) start += rest.toString('latin1', 0, MODEL_WITHIN)
    left -= rest.length
    if (left <= 0) {
      left = 0
      reply(socket, isPost, start)
    }
  })
  socket.on('error', () => {})
}

const server = net.createServer({ noDelay: true }, serve)
server.listen(0, '127.0.0.1')
for (const pace of Object.values(paces)) pace.start()

serveCalls({
  port: () => (server.address() as AddressInfo).port,
  /** Events written so far. */
  events: () => events,
})
