import type { Writable } from 'node:stream'
import type { Exchange } from '../core/exchange.ts'
import { failure } from '../errors/errors.ts'
import { bodyFault, onBodyBroken } from './broken.ts'
import { askForBody } from './read.ts'

const TOO_EARLY = failure('http_400', { problem: 'The body ended too early.' })
/** There are malformed bodies that a parser waits in the middle of. */
const STUCK = failure('http_408', {}, { headers: { connection: 'close' } })

/** How long a sink may take for what it was given, before more of it comes and after the last of it. */
const SINK_MS = 30_000

/**
 * Hands the body of a request on to `sink` as it comes, no faster than that takes it, and resolves when it has finished.
 * Refuses more than `limit` bytes with 413. Rejects with the sink's own error where it fails, and with 408 where it does
 * not go on. The connection stays, and what the client still sends is thrown away after the answer.
 */
export async function feedBody(exchange: Exchange, sink: Writable, limit: number, sinkMs = SINK_MS): Promise<void> {
  const { req } = exchange
  // Nobody would say so again.
  if (exchange.gone || req.destroyed) throw TOO_EARLY
  askForBody(exchange, limit)
  await new Promise<void>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const done = (settle: () => void) => {
      clearTimeout(timer)
      req.off('data', onData)
      req.off('end', onEnd)
      req.off('close', onClose)
      sink.off('drain', onDrain)
      sink.off('finish', onFinish)
      sink.off('error', stop)
      offBroken()
      settle()
    }
    const stop = (cause: unknown) => done(() => reject(cause))
    const waitForSink = () => {
      timer = setTimeout(() => stop(STUCK), sinkMs)
    }
    const onData = (piece: Buffer) => {
      exchange.bodyBytes += piece.length
      if (exchange.bodyBytes > limit) return stop(failure('request_body_too_large', { limit }))
      if (sink.write(piece)) return
      req.pause()
      waitForSink()
    }
    const onDrain = () => {
      clearTimeout(timer)
      req.resume()
    }
    const onEnd = () => {
      req.off('close', onClose)
      waitForSink()
      sink.end()
    }
    const onFinish = () => done(resolve)
    // The client left while sending. The exchange has been told by then; nobody will see this answer.
    const onClose = () => stop(TOO_EARLY)
    const onBroken = () => stop(bodyFault(req))
    const offBroken = onBodyBroken(req, onBroken)
    sink.on('drain', onDrain)
    sink.on('finish', onFinish)
    sink.on('error', stop)
    req.on('data', onData)
    req.on('end', onEnd)
    req.on('close', onClose)
    // It is told by 'close' as well; without a listener it would be thrown.
    req.on('error', ignore)
    if (bodyFault(req) !== undefined) onBroken()
  })
}

function ignore(): void {}
