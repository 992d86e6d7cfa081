import type { IncomingMessage } from 'node:http'
import { abandonBody, brokenBodyError, onBodyBroken } from './read.ts'

const MAX_BYTES = 64 * 1024 * 1024
const MAX_MS = 5000

/** Reading bodies up to this size is cheaper than opening a new connection. */
const SHORT_BYTES = 1024 * 1024

/** Long bodies discarded at the same time: reading costs CPU time, and hundreds may be refused at once. */
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

/** Whether the client may still be sending its body. */
export function isUnread(req: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers
  return !req.complete && (encoding !== undefined || (length !== undefined && length !== '0'))
}

/** Whether reading the rest is cheaper than a new connection. Not for clients that wait for 100 (Continue). */
export function isWorthReading({ headers }: IncomingMessage): boolean {
  return headers.expect === undefined && Number(headers['content-length']) <= SHORT_BYTES
}

/** Discards the rest of an unneeded body: the client gets the response, not a reset (docs/DESIGN.md#early-answers). */
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
  // The body may have ended between the refusal and the response, which is written at the end of the tick.
  if (brokenBodyError(req) !== undefined || req.readableEnded || req.destroyed) finished()
}

function ignore(): void {}
