/** Reads request bodies, and tells their readers when a body breaks or is no longer needed. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { nextTurn } from '../base/long-work.ts'
import { fail, failure, type GatewayError } from '../errors/errors.ts'
import { quoted } from '../text/quoted.ts'
import type { BodyCharge, SlowUploads } from './memory.ts'
import { type ParsedBody, parseBody, scanBody } from './request-body.ts'

export interface BodySource {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly headers: IncomingHttpHeaders
}

interface ReadingHost {
  /** The caller releases it. */
  readonly charge: BodyCharge
  readonly slowUploads: SlowUploads
}

interface ReadBody extends ParsedBody {
  /** Bytes, as received. */
  readonly size: number
}

/** Memory per byte of a body until a backend answers: short messages 2.1 to 2.4, long texts 1.1 (docs/adr/0043). */
const MEMORY_FACTOR = 2.25

/** A larger body waits for a turn of the event loop before it is parsed. */
const LARGE_BYTES = 128 * 1024

/**
 * Reads and parses the body of a request. `isLazy`: long texts stay bytes until they are read. Rejects with:
 * - 413 as soon as the body is known to be larger than `limit` bytes;
 * - 400 if it is not JSON;
 * - 408 if it does not progress;
 * - 429 or 503 if there is no memory for it.
 * The rest of the body is left to discardBody().
 */
export async function readBody(
  source: BodySource,
  limit: number,
  isLazy: boolean,
  { charge, slowUploads }: ReadingHost,
): Promise<ReadBody> {
  refuseUnreadable(source, limit)
  const { req } = source
  const declared = lengthOf(source)
  const waiting = charge.reserve(memoryFor(declared ?? 0, charge.max))
  if (waiting !== undefined) await untilGone(req, waiting)
  continueExpected(source)
  const onGrowth = (capacity: number) => charge.settle(memoryFor(capacity, charge.max))
  const bytes = await new BytesReader(req, { limit, declared, onGrowth }).read(slowUploads)
  if (bytes.length > LARGE_BYTES) {
    await nextTurn()
    if (req.socket.destroyed) throw cutOff()
  }
  const scanned = scanBody(bytes, isLazy ? undefined : Number.POSITIVE_INFINITY)
  charge.settle(bytes.length + scanned.weight)
  return { ...parseBody(bytes, scanned), size: bytes.length }
}

/** The charge for a body of this length before it is read. */
function memoryFor(length: number, max: number): number {
  return Math.max(length, Math.min(Math.ceil(length * MEMORY_FACTOR), max))
}

/** undefined: the client has not declared the length. */
function lengthOf({ headers }: BodySource): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}

/** The client has disconnected. The exchange ends, and this refusal is not sent. */
function cutOff() {
  return failure('invalid_json_request', { problem: 'The body ended too early.' })
}

/** Waits for memory before the first byte. Rejects if the client disconnects or the body breaks in the meantime. */
async function untilGone(req: IncomingMessage, waiting: Promise<void>): Promise<void> {
  let stop: (() => void) | undefined
  const ended = new Promise<never>((_resolve, reject) => {
    const onClose = () => reject(cutOff())
    const offBroken = onBodyBroken(req, () => reject(brokenBodyError(req)!))
    req.on('close', onClose)
    req.on('error', ignore)
    stop = () => {
      offBroken()
      req.off('close', onClose)
    }
  })
  try {
    await Promise.race([waiting, ended])
  } finally {
    stop?.()
  }
}

/** Refuses a body that the request head shows to be unreadable. */
function refuseUnreadable({ headers }: BodySource, limit: number): void {
  // An empty header is an empty list of codings: RFC 9110 section 5.6.1.
  const encoding = headers['content-encoding'] || 'identity'
  if (encoding.toLowerCase() !== 'identity') fail('http_415', { encoding: quoted(encoding, 40) })
  if (Number(headers['content-length']) > limit) fail('request_body_too_large', { limit })
}

/** Refuses an unreadable body. Otherwise sends 100 (Continue) to a client that waits for it. */
export function askForBody(source: BodySource, limit: number): void {
  refuseUnreadable(source, limit)
  continueExpected(source)
}

function continueExpected({ req, res, headers }: BodySource): void {
  // HTTP/1.0 has no 100 (Continue).
  if (headers.expect !== undefined && req.httpVersionMinor === 1) res.writeContinue()
}

interface BytesReaderOptions {
  /** Maximum size of the body in bytes. */
  readonly limit: number
  /** Content-Length; undefined: none. */
  readonly declared: number | undefined
  /** Called before the memory of a body of unknown length grows to this many bytes. Throws the refusal. */
  readonly onGrowth: (capacity: number) => void
}

/** First memory of a body of unknown length. It doubles as the body arrives. */
const FIRST_BYTES = 16 * 1024

/** Reads the bytes of one body into one buffer. */
class BytesReader {
  received = 0
  readonly #req: IncomingMessage
  readonly #options: BytesReaderOptions
  #bytes: Buffer
  #resolve!: (bytes: Buffer) => void
  #reject!: (refusal: unknown) => void
  #stopListening: () => void = () => {}

  constructor(req: IncomingMessage, options: BytesReaderOptions) {
    this.#req = req
    this.#options = options
    this.#bytes = Buffer.allocUnsafe(options.declared ?? 0)
  }

  /** Resolves with the whole body. Rejects if it is too large, breaks, stalls, or needs more memory than is left. */
  read(slowUploads: SlowUploads): Promise<Buffer> {
    const req = this.#req
    const offBroken = onBodyBroken(req, this.#onBroken)
    const offWatch = slowUploads.watch(this)
    req.on('data', this.#onData)
    req.on('end', this.#onEnd)
    req.on('close', this.#onClose)
    // `close` follows and handles the error. Without this listener Node throws.
    req.on('error', ignore)
    this.#stopListening = () => {
      offBroken()
      offWatch()
      req.off('data', this.#onData)
      req.off('end', this.#onEnd)
      req.off('close', this.#onClose)
    }
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      if (brokenBodyError(req) !== undefined) this.#onBroken()
      else if (req.destroyed) this.#onClose()
    })
  }

  /** The body does not progress. */
  onStalled(): void {
    this.#refuse(failure('http_408', {}))
  }

  #refuse(refusal: unknown): void {
    this.#stopListening()
    this.#reject(refusal)
  }

  readonly #onClose = (): void => this.#refuse(cutOff())

  readonly #onBroken = (): void => this.#refuse(brokenBodyError(this.#req)!)

  readonly #onData = (chunk: Buffer): void => {
    const { limit } = this.#options
    const end = this.received + chunk.length
    if (end > limit) return this.#refuse(failure('request_body_too_large', { limit }))
    try {
      if (end > this.#bytes.length) this.#grow(end)
    } catch (refusal) {
      return this.#refuse(refusal)
    }
    chunk.copy(this.#bytes, this.received)
    this.received = end
  }

  #grow(needed: number): void {
    const capacity = Math.min(
      Math.max(needed, 2 * this.#bytes.length, FIRST_BYTES),
      Math.max(needed, this.#options.limit),
    )
    this.#options.onGrowth(capacity)
    const larger = Buffer.allocUnsafe(capacity)
    this.#bytes.copy(larger, 0, 0, this.received)
    this.#bytes = larger
  }

  readonly #onEnd = (): void => {
    this.#stopListening()
    this.#resolve(this.#bytes.subarray(0, this.received))
  }
}

function ignore(): void {}

// ------------------------------------------------------------ bodies that break or are abandoned

const errors = new WeakMap<IncomingMessage, GatewayError>()
const BROKEN = Symbol('broken')
const ABANDONED = Symbol('abandoned')

/** Ends a body that the HTTP parser cannot continue, which Node reports to the server only. */
export function breakBody(req: IncomingMessage, error: GatewayError): void {
  errors.set(req, error)
  req.emit(BROKEN)
}

/** Why the body cannot be read to its end; undefined: it is not broken. */
export function brokenBodyError(req: IncomingMessage): GatewayError | undefined {
  return errors.get(req)
}

/** Calls `then` when the body breaks. Returns a function that removes the listener. */
export function onBodyBroken(req: IncomingMessage, then: () => void): () => void {
  req.once(BROKEN, then)
  return () => req.off(BROKEN, then)
}

/** Stops the reader of a body whose rest is going to be discarded. */
export function abandonBody(req: IncomingMessage): void {
  req.emit(ABANDONED)
}

/** Calls `then` when the body is abandoned. Returns a function that removes the listener. */
export function onBodyAbandoned(req: IncomingMessage, then: () => void): () => void {
  req.once(ABANDONED, then)
  return () => req.off(ABANDONED, then)
}
