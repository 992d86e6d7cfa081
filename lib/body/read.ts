import type { IncomingMessage } from 'node:http'
import { fail, failure } from '../errors.ts'
import type { Exchange } from '../exchange.ts'

/**
 * Reads the whole body of a request. Refuses it with 413 as soon as it is known to be too large; what the client
 * still sends is then thrown away by drain().
 */
export function readBody(exchange: Exchange, limit: number): Promise<Buffer> {
  const { req, headers } = exchange
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    fail('http_415', { encoding: encoding.slice(0, 40) })
  if (Number(headers['content-length']) > limit) fail('request_body_too_large', { limit })
  if (headers.expect !== undefined) exchange.res.writeContinue()

  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const done = (settle: () => void) => {
      req.off('data', onData)
      req.off('end', onEnd)
      req.off('close', onClose)
      settle()
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) return done(() => reject(failure('request_body_too_large', { limit })))
      chunks.push(chunk)
    }
    const onEnd = () => done(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)))
    // The client left while sending. The exchange has been told by then; nobody will see this answer.
    const onClose = () => done(() => reject(failure('invalid_json_request', { problem: 'The body ended too early.' })))
    req.on('data', onData)
    req.on('end', onEnd)
    req.on('close', onClose)
    // A parser error in the body is answered by the server's clientError handler; without a listener it would be thrown.
    req.on('error', () => {})
  })
}

const DRAIN_BYTES = 64 * 1024 * 1024
const DRAIN_MS = 5000

/**
 * After an answer that did not need the whole body: takes the rest off the socket for a while, so that the client can
 * read the answer instead of a reset and a kept-alive connection stays in step (faults.md class 14).
 */
export function drain(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return
  let left = DRAIN_BYTES
  const timer = setTimeout(() => req.destroy(), DRAIN_MS)
  timer.unref()
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) req.destroy()
  })
  req.on('error', () => {})
  req.on('close', () => clearTimeout(timer))
  req.resume()
}
