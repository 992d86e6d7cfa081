/** Reads request bodies, and tells their readers when a body breaks or is no longer needed. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Transform } from 'node:stream'
import { nextTurn } from '../base/long-work.ts'
import { fail, failure, type GatewayError } from '../errors/errors.ts'
import { decoderFor, refuseCoding } from './coding.ts'
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
  /** Bytes, decoded. */
  readonly size: number
}

/** Memory per byte of a body until a backend answers: short messages 2.1 to 2.4, long texts 1.1 (docs/adr/0043). */
const MEMORY_FACTOR = 2.25

/** A larger body waits for a turn of the event loop before it is parsed. */
const LARGE_BYTES = 128 * 1024

/**
 * Reads and parses the body of a request. `isLazy`: long texts stay bytes until they are read. Rejects with:
 * - 415 if its coding is unknown;
 * - 413 as soon as the decoded body is known to be larger than `limit` bytes, or than 200 times the sent bytes;
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
  refuseLarge(source, limit)
  const { req } = source
  const decoder = source.headers['content-encoding'] ? decoderFor(source.headers) : undefined
  const sent = source.headers['content-length']
  const waiting = charge.reserve(memoryFor(Number(sent ?? 0), charge.max))
  if (waiting !== undefined) await untilGone(req, waiting)
  continueExpected(source)
  const onGrowth = (capacity: number) => charge.settle(memoryFor(capacity, charge.max))
  const length = decoder === undefined && sent !== undefined ? Number(sent) : undefined
  const bytes = await new BytesReader(req, { limit, length, decoder, onGrowth }).read(slowUploads)
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

/** Refuses a body that the request head shows to be too large. */
function refuseLarge({ headers }: BodySource, limit: number): void {
  if (Number(headers['content-length']) > limit) fail('request_body_too_large', { limit })
}

/** Refuses a body with a coding, or a too large one. Otherwise sends 100 (Continue) to a client that waits for it. */
export function askForBody(source: BodySource, limit: number): void {
  refuseCoding(source.headers)
  refuseLarge(source, limit)
  continueExpected(source)
}

function continueExpected({ req, res, headers }: BodySource): void {
  // HTTP/1.0 has no 100 (Continue).
  if (headers.expect !== undefined && req.httpVersionMinor === 1) res.writeContinue()
}

interface BytesReaderOptions {
  /** Maximum size of the body in bytes. */
  readonly limit: number
  /** Of the decoded body; undefined: unknown. */
  readonly length: number | undefined
  /** undefined: the body has no coding. */
  readonly decoder: Transform | undefined
  /** Called before the memory of a body of unknown length grows to this many bytes. Throws the refusal. */
  readonly onGrowth: (capacity: number) => void
}

/** First memory of a body of unknown length. It doubles as the body arrives. */
const FIRST_BYTES = 16 * 1024

/** A decoded body of more than this number of times the sent bytes is refused: it is made to exhaust memory. */
const MAX_EXPANSION = 200

/** Reads the decoded bytes of one body into one buffer. */
class BytesReader {
  /** Sent bytes. */
  received = 0
  #decoded = 0
  readonly #req: IncomingMessage
  readonly #options: BytesReaderOptions
  #bytes: Buffer
  #resolve!: (bytes: Buffer) => void
  #reject!: (refusal: unknown) => void
  #stopListening: () => void = () => {}

  constructor(req: IncomingMessage, options: BytesReaderOptions) {
    this.#req = req
    this.#options = options
    this.#bytes = Buffer.allocUnsafe(options.length ?? 0)
  }

  /** Resolves with the whole body. Rejects if it is too large, breaks, stalls, or needs more memory than is left. */
  read(slowUploads: SlowUploads): Promise<Buffer> {
    const req = this.#req
    const offBroken = onBodyBroken(req, this.#onBroken)
    const offWatch = slowUploads.watch(this)
    const { decoder } = this.#options
    req.on('data', this.#onData)
    req.on('end', this.#onEnd)
    req.on('close', this.#onClose)
    // `close` follows and handles the error. Without this listener Node throws.
    req.on('error', ignore)
    decoder?.on('data', this.#onDecoded)
    decoder?.on('drain', () => req.resume())
    decoder?.on('end', this.#onDecodedEnd)
    decoder?.on('error', this.#onUndecodable)
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
    this.#options.decoder?.destroy()
    this.#reject(refusal)
  }

  readonly #onClose = (): void => this.#refuse(cutOff())

  readonly #onBroken = (): void => this.#refuse(brokenBodyError(this.#req)!)

  readonly #onData = (chunk: Buffer): void => {
    const { limit, decoder } = this.#options
    this.received += chunk.length
    if (decoder === undefined) return this.#onDecoded(chunk)
    // Blocks without content may be sent without end.
    if (this.received > limit) return this.#refuse(failure('request_body_too_large', { limit }))
    if (!decoder.write(chunk)) this.#req.pause()
  }

  readonly #onDecoded = (chunk: Buffer): void => {
    const { limit } = this.#options
    const end = this.#decoded + chunk.length
    if (end > limit) return this.#refuse(failure('request_body_too_large', { limit }))
    if (end > MAX_EXPANSION * this.received) return this.#refuse(expanding(limit))
    try {
      if (end > this.#bytes.length) this.#grow(end)
    } catch (refusal) {
      return this.#refuse(refusal)
    }
    chunk.copy(this.#bytes, this.#decoded)
    this.#decoded = end
  }

  #grow(needed: number): void {
    const capacity = Math.min(
      Math.max(needed, 2 * this.#bytes.length, FIRST_BYTES),
      Math.max(needed, this.#options.limit),
    )
    this.#options.onGrowth(capacity)
    const larger = Buffer.allocUnsafe(capacity)
    this.#bytes.copy(larger, 0, 0, this.#decoded)
    this.#bytes = larger
  }

  readonly #onEnd = (): void => {
    this.#stopListening()
    const { decoder } = this.#options
    if (decoder === undefined) this.#onDecodedEnd()
    else decoder.end()
  }

  readonly #onUndecodable = (): void =>
    this.#refuse(failure('invalid_json_request', { problem: 'The body is not valid in its Content-Encoding.' }))

  readonly #onDecodedEnd = (): void => this.#resolve(this.#bytes.subarray(0, this.#decoded))
}

function expanding(limit: number): GatewayError {
  const message = `The body is more than ${MAX_EXPANSION} times as large as its compressed form.`
  return failure('request_body_too_large', { limit }, { message })
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
