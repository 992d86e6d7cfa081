import type { IncomingMessage } from 'node:http'
import type { Exchange } from '../core/exchange.ts'
import { fail, failure, type GatewayError } from '../errors/errors.ts'
import { bodyFault, onBodyBroken } from './broken.ts'
import { Intake } from './intake.ts'
import type { ReadBody } from './parse.ts'

/** After so many bytes others get their turn: the system would hand out two megabytes at once, 10 ms of looking at them. */
const TOGETHER_BYTES = 128 * 1024

/**
 * Reads the whole body of a request. Refuses it with 413 as soon as it is known to be too large; what the client
 * still sends is then thrown away by drain(). `mark`: of long texts, which are taken out of a large one if it `takesOut`
 * any (detach.ts).
 */
export function readBody(exchange: Exchange, limit: number, mark: string, takesOut: boolean): Promise<ReadBody> {
  const { req } = exchange
  askForBody(exchange, limit)
  return new Promise((resolve, reject) => {
    const body = new Intake(mark, takesOut)
    let over = false
    const done = (settle: () => void) => {
      over = true
      req.off('data', onData)
      req.off('end', onEnd)
      req.off('close', onClose)
      offBroken()
      settle()
    }
    const refuse = (error: GatewayError) => done(() => reject(error))
    let together = 0
    const goOn = () => {
      if (!over) req.resume()
    }
    const onData = (chunk: Buffer) => {
      if (body.size + chunk.length > limit) return refuse(failure('request_body_too_large', { limit }))
      try {
        body.add(chunk)
      } catch (refusal) {
        return done(() => reject(refusal))
      }
      together += chunk.length
      if (together < TOGETHER_BYTES) return
      together = 0
      req.pause()
      setImmediate(goOn)
    }
    const onEnd = () => {
      try {
        const read = body.end()
        done(() => resolve(read))
      } catch (refusal) {
        done(() => reject(refusal))
      }
    }
    // The client left while sending. The exchange has been told by then; nobody will see this answer.
    const onClose = () => refuse(failure('invalid_json_request', { problem: 'The body ended too early.' }))
    const onBroken = () => refuse(bodyFault(req)!)
    const offBroken = onBodyBroken(req, onBroken)
    req.on('data', onData)
    req.on('end', onEnd)
    req.on('close', onClose)
    // It is told by 'close' as well; without a listener it would be thrown. A function of this scope would keep the body.
    req.on('error', ignore)
    if (bodyFault(req) !== undefined) onBroken()
  })
}

/** Refuses a body that will not be read, as far as its head shows that; else the client is told to send it. */
export function askForBody({ req, res, headers }: Exchange, limit: number): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    fail('http_415', { encoding: encoding.slice(0, 40) })
  if (Number(headers['content-length']) > limit) fail('request_body_too_large', { limit })
  // HTTP/1.0 does not know it.
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
 * Whether a connection is kept for the price of the rest of this body. Otherwise the client is told to send no more:
 * some wait for ever to get rid of a body whose answer they have. Nor does anybody know whether a client that was never
 * told to go on will send its body all the same.
 */
export function isWorthReading({ headers }: IncomingMessage): boolean {
  return headers.expect === undefined && Number(headers['content-length']) <= SHORT_BYTES
}

/**
 * After an answer that did not need the whole body: takes the rest off the socket for a while, so that the client can
 * read the answer instead of a reset and a kept-alive connection stays in step (docs/DESIGN.md#early-answers). Calls
 * `done` when nothing more will come.
 */
export function drain(req: IncomingMessage, done: () => void): void {
  let left = DRAIN_BYTES
  const timer = setTimeout(() => req.destroy(), DRAIN_MS)
  timer.unref()
  const over = () => {
    clearTimeout(timer)
    done()
  }
  onBodyBroken(req, over)
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) req.destroy()
  })
  req.on('error', ignore)
  req.on('end', over)
  req.on('close', over)
  req.resume()
  if (bodyFault(req) !== undefined) over()
}

function ignore(): void {}
