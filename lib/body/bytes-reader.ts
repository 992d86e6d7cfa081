import type { IncomingMessage } from 'node:http'
import { failure } from '../errors/errors.ts'
import { brokenBodyError, onBodyBroken } from './broken.ts'
import type { SlowUploads } from './slow-uploads.ts'

export interface BytesReaderOptions {
  /** Largest body, in bytes. */
  readonly limit: number
  /** Content-Length; undefined: none. */
  readonly declared: number | undefined
  /** Called before the memory of a body of unknown length grows to this many bytes. Throws the refusal. */
  readonly onGrowth: (capacity: number) => void
}

/** First memory of a body of unknown length. It doubles as the body arrives. */
const FIRST_BYTES = 16 * 1024

/** Reads the bytes of one body into one buffer. */
export class BytesReader {
  /** Bytes that have arrived. */
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

  /** Resolves with the whole body. Rejects where it is too large, breaks, stalls, or finds no memory. */
  read(slowUploads: SlowUploads): Promise<Buffer> {
    const req = this.#req
    const offBroken = onBodyBroken(req, this.#onBroken)
    const offWatch = slowUploads.watch(this)
    req.on('data', this.#onData)
    req.on('end', this.#onEnd)
    req.on('close', this.#onClose)
    // `close` follows and is handled there; without this listener Node throws.
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

  /** Too little has arrived for too long. */
  onStalled(): void {
    this.#refuse(failure('http_408', {}))
  }

  #refuse(refusal: unknown): void {
    this.#stopListening()
    this.#reject(refusal)
  }

  // The client disconnected: the exchange ends by itself, and this refusal is not sent.
  readonly #onClose = (): void =>
    this.#refuse(failure('invalid_json_request', { problem: 'The body ended too early.' }))

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
