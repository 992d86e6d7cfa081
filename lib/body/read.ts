import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { quoted } from '../base/quoted.ts'
import { turns } from '../base/turns.ts'
import { fail } from '../errors/errors.ts'
import { abandonBody } from './abandoned.ts'
import { Intake, LARGE_BYTES } from './intake.ts'
import { brokenBodyError, cutOff, onBodyBroken, Reading, type ReadingHost } from './reading.ts'
import type { ReadBody } from './request-body.ts'

/** A request whose body is to be read. */
export interface BodySource {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly headers: IncomingHttpHeaders
}

/**
 * Reads and parses the body of a request. Rejects with 413 as soon as it is known to be larger than `limit` bytes, with 400
 * where it is not JSON, with 408 where it does not progress, and with 429 or 503 where there is no memory for it; the rest of
 * the body is left to discardBody(). `detaches`: long texts of a large body are kept as bytes, for routes whose hooks do not read
 * all of them.
 */
export function readBody(source: BodySource, limit: number, detaches: boolean, host: ReadingHost): Promise<ReadBody> {
  refuseUnreadable(source, limit)
  const reserved = Number(source.headers['content-length'] ?? 0)
  const read = () => {
    continueExpected(source)
    return new Reading(source.req, limit, new Intake(detaches), host.charge, reserved).run(host.watch)
  }
  const memory = host.charge.grow(reserved)
  const waiting = reserved > LARGE_BYTES ? turnAfter(memory, host.charge.accountId) : memory
  return waiting === undefined ? read() : untilGone(source.req, waiting).then(read)
}

/** Large bodies that come together begin one after the other: the connections behind them are accepted meanwhile. */
function turnAfter(memory: Promise<void> | undefined, account: string): Promise<void> | undefined {
  if (memory !== undefined) return memory.then(() => turns.next(account))
  return turns.isFree ? undefined : turns.next(account)
}

/** Waits for memory, or a turn, before the first byte. Rejects where the client disconnects or its body breaks meanwhile. */
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

/** Refuses a body that will not be read, where its head shows that. */
function refuseUnreadable({ headers }: BodySource, limit: number): void {
  // An empty header names no coding: RFC 9110 section 5.6.1.
  const encoding = headers['content-encoding'] || 'identity'
  if (encoding.toLowerCase() !== 'identity') fail('http_415', { encoding: quoted(encoding, 40) })
  if (Number(headers['content-length']) > limit) fail('request_body_too_large', { limit })
}

/** The same, and answers `expect: 100-continue` otherwise. */
export function askForBody(source: BodySource, limit: number): void {
  refuseUnreadable(source, limit)
  continueExpected(source)
}

function continueExpected({ req, res, headers }: BodySource): void {
  // HTTP/1.0 has no 100 (Continue).
  if (headers.expect !== undefined && req.httpVersionMinor === 1) res.writeContinue()
}

const DRAIN_BYTES = 64 * 1024 * 1024
const DRAIN_MS = 5000

/** Most long bodies that are dropped at a time: reading one costs as much as keeping it, and hundreds may be refused at once. */
const MOST_DRAINING = 8
const draining = new Set<IncomingMessage>()
const toBeDrained = new Set<IncomingMessage>()

function drainNext(): void {
  for (const req of toBeDrained) {
    if (draining.size >= MOST_DRAINING) return
    toBeDrained.delete(req)
    draining.add(req)
    req.resume()
  }
}

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
export function discardBody(req: IncomingMessage, done: () => void): void {
  abandonBody(req)
  let left = DRAIN_BYTES
  const timer = setTimeout(() => req.destroy(), DRAIN_MS)
  timer.unref()
  const finished = () => {
    clearTimeout(timer)
    toBeDrained.delete(req)
    draining.delete(req)
    drainNext()
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
  if (isWorthReading(req)) req.resume()
  else {
    req.pause()
    toBeDrained.add(req)
    drainNext()
  }
  // The body may have ended between the refusal and the response, which waits for the end of the tick.
  if (brokenBodyError(req) !== undefined || req.readableEnded || req.destroyed) finished()
}

function ignore(): void {}
