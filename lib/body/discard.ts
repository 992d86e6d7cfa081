import type { IncomingMessage } from 'node:http'
import { abandonBody, brokenBodyError, onBodyBroken } from './interrupted.ts'

const MAX_BYTES = 64 * 1024 * 1024
const MAX_MS = 5000

/** Bodies up to this size are cheaper to read than a new connection is to open. */
const SHORT_BYTES = 1024 * 1024

/** Long bodies that are dropped at a time: reading one costs as much as keeping it, and hundreds may be refused at once. */
const MAX_DISCARDING = 8
const discarding = new Set<IncomingMessage>()
const waiting = new Set<IncomingMessage>()

function discardNext(): void {
  for (const req of waiting) {
    if (discarding.size >= MAX_DISCARDING) return
    waiting.delete(req)
    discarding.add(req)
    req.resume()
  }
}

/** True while the client may still be sending. */
export function isUnread(req: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers
  return !req.complete && (encoding !== undefined || (length !== undefined && length !== '0'))
}

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
  let left = MAX_BYTES
  const timer = setTimeout(() => req.destroy(), MAX_MS)
  timer.unref()
  const finished = () => {
    clearTimeout(timer)
    waiting.delete(req)
    discarding.delete(req)
    discardNext()
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
    waiting.add(req)
    discardNext()
  }
  // The body may have ended between the refusal and the response, which waits for the end of the tick.
  if (brokenBodyError(req) !== undefined || req.readableEnded || req.destroyed) finished()
}

function ignore(): void {}
