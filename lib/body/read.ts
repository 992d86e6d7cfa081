import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { ByteBuffer } from '../base/byte-buffer.ts'
import { fail, failure, type GatewayError } from '../errors/errors.ts'
import { abandonBody } from './abandoned.ts'
import { BodyScanner } from './large/scan.ts'
import { parse } from './parse.ts'
import type { ReadBody } from './request-body.ts'

/** Larger bodies are parsed while they arrive, so that parsing does not block other streams. */
export const LARGE_BYTES = 128 * 1024

/** Collects a body piece by piece and parses it. */
export class Intake {
  readonly #bytes = new ByteBuffer()
  readonly #detaches: boolean
  #scanner: BodyScanner | null = null
  #size = 0

  /** `detaches`: long texts of a large body are kept as bytes. */
  constructor(detaches: boolean) {
    this.#detaches = detaches
  }

  get size(): number {
    return this.#size
  }

  /** Throws the refusal of a large body as soon as it shows that it cannot be read. */
  add(piece: Buffer): void {
    this.#size += piece.length
    if (this.#scanner !== null) return this.#scanner.feed(piece)
    this.#bytes.append(piece)
    if (this.#size <= LARGE_BYTES) return
    this.#scanner = new BodyScanner({ detaches: this.#detaches })
    this.#scanner.feed(this.#bytes.bytes)
  }

  /** Throws the refusal of what is not JSON. */
  end(): ReadBody {
    if (this.#scanner !== null) return this.#scanner.end()
    return { value: parse(this.#bytes.bytes), size: this.#size, large: null }
  }
}

/** Bytes that are handled before other streams are served: the kernel may deliver two megabytes at once, 10 ms of work. */
const BURST_BYTES = 128 * 1024

/** A request whose body is to be read. */
export interface BodySource {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly headers: IncomingHttpHeaders
}

/**
 * Reads and parses the body of a request. Rejects with 413 as soon as it is known to be larger than `limit` bytes, and with
 * 400 where it is not JSON; the rest of the body is left to drain(). `detaches`: long texts of a large body are kept as
 * bytes, for routes whose hooks do not read all of them.
 */
export function readBody(source: BodySource, limit: number, detaches: boolean): Promise<ReadBody> {
  const { req } = source
  askForBody(source, limit)
  return new Promise((resolve, reject) => {
    const body = new Intake(detaches)
    let isSettled = false
    const done = (settle: () => void) => {
      isSettled = true
      req.off('data', onData)
      req.off('end', onEnd)
      req.off('close', onClose)
      offBroken()
      settle()
    }
    const refuse = (error: GatewayError) => done(() => reject(error))
    let burst = 0
    const resume = () => {
      if (!isSettled) req.resume()
    }
    const onData = (chunk: Buffer) => {
      if (body.size + chunk.length > limit) return refuse(failure('request_body_too_large', { limit }))
      try {
        body.add(chunk)
      } catch (refusal) {
        return done(() => reject(refusal))
      }
      burst += chunk.length
      if (burst < BURST_BYTES) return
      burst = 0
      req.pause()
      setImmediate(resume)
    }
    const onEnd = () => {
      try {
        const read = body.end()
        done(() => resolve(read))
      } catch (refusal) {
        done(() => reject(refusal))
      }
    }
    // The client disconnected: the exchange ends by itself, and this refusal is not sent.
    const onClose = () => refuse(failure('invalid_json_request', { problem: 'The body ended too early.' }))
    const onBroken = () => refuse(brokenBodyError(req)!)
    const offBroken = onBodyBroken(req, onBroken)
    req.on('data', onData)
    req.on('end', onEnd)
    req.on('close', onClose)
    // `close` follows and is handled there; without this listener Node throws. A closure would keep the body in memory.
    req.on('error', ignore)
    if (brokenBodyError(req) !== undefined) onBroken()
  })
}

/** Refuses a body that will not be read, where its head shows that. Answers `expect: 100-continue` otherwise. */
export function askForBody({ req, res, headers }: BodySource, limit: number): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    fail('http_415', { encoding: encoding.slice(0, 40) })
  if (Number(headers['content-length']) > limit) fail('request_body_too_large', { limit })
  // HTTP/1.0 has no 100 (Continue).
  if (headers.expect !== undefined && req.httpVersionMinor === 1) res.writeContinue()
}

const DRAIN_BYTES = 64 * 1024 * 1024
const DRAIN_MS = 5000

/** True while the client may still be sending. */
export function isUnread(req: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers
  return !req.complete && (encoding !== undefined || (length !== undefined && length !== '0'))
}

const SHORT_BYTES = 1024 * 1024

/**
 * True where reading the rest of this body is cheaper than a new connection. Otherwise the connection is closed: some clients
 * do not read their response before they have sent everything, and one that waits for 100 (Continue) may send its body
 * or not.
 */
export function isWorthReading({ headers }: IncomingMessage): boolean {
  return headers.expect === undefined && Number(headers['content-length']) <= SHORT_BYTES
}

/**
 * Reads and drops the rest of a body whose response did not need it, for a limited time: otherwise the client would see a
 * reset instead of the response, and a kept-alive connection would be out of step (docs/DESIGN.md#early-answers). Calls
 * `done` at its end.
 */
export function drain(req: IncomingMessage, done: () => void): void {
  abandonBody(req)
  let left = DRAIN_BYTES
  const timer = setTimeout(() => req.destroy(), DRAIN_MS)
  timer.unref()
  const finished = () => {
    clearTimeout(timer)
    done()
  }
  onBodyBroken(req, finished)
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) req.destroy()
  })
  req.on('error', ignore)
  req.on('end', finished)
  req.on('close', finished)
  req.resume()
  if (brokenBodyError(req) !== undefined) finished()
}

function ignore(): void {}

const errors = new WeakMap<IncomingMessage, GatewayError>()
const BROKEN = Symbol('broken')

/** Ends a body that the HTTP parser cannot continue: Node reports that to the server only, not on the request. */
export function breakBody(req: IncomingMessage, error: GatewayError): void {
  errors.set(req, error)
  req.emit(BROKEN)
}

/** Why the body cannot be read to its end; undefined as long as it can. */
export function brokenBodyError(req: IncomingMessage): GatewayError | undefined {
  return errors.get(req)
}

/** Calls `then` when the body breaks; returns a function that removes the listener. */
export function onBodyBroken(req: IncomingMessage, then: () => void): () => void {
  req.once(BROKEN, then)
  return () => req.off(BROKEN, then)
}
