import type { Writable } from 'node:stream'
import { failure } from '../errors/errors.ts'
import { brokenBodyError, onBodyBroken } from './interrupted.ts'
import type { BodyCharge } from './memory.ts'
import { askForBody, type BodySource } from './read.ts'

/** The client has disconnected before the end of its body. */
export const tooEarly = () => failure('http_400', { problem: 'The body ended too early.' })
/** Parsers of forms may wait forever in the middle of a malformed body. */
const stuck = () => failure('http_408', {}, { headers: { connection: 'close' } })

/** Longest time for a sink to take a piece, and to finish after the last one. */
const SINK_MS = 30_000

/** A request whose body is piped into a stream. */
export interface PipedSource extends BodySource {
  /** The client has disconnected. */
  readonly gone: boolean
  /** Counts what has arrived. */
  bodyBytes: number
  /** The memory for it. The caller of feedBody() releases it. */
  readonly charge?: Pick<BodyCharge, 'reserve'>
  /** Counts it among the bodies of its key and account while it is read. */
  readonly admitted?: { beginBody(): void; endBody(): void } | null
}

/** What a body that is piped into a sink holds at a time, about: of the connection, of a parser, of a file that is written. */
const FED_BYTES = 256 * 1024

/**
 * Pipes the body of a request into `sink` and resolves when that has finished. Rejects with 413 above `limit` bytes, with 408
 * where the sink stalls, with 400 where the client disconnects, with 429 or 503 where there is no memory for it, and with the
 * sink's own error. The connection stays open; the rest of the body is left to discardBody().
 */
export async function feedBody(source: PipedSource, sink: Writable, limit: number, sinkMs = SINK_MS): Promise<void> {
  const { charge, admitted, headers } = source
  await charge?.reserve(Math.min(Number(headers['content-length'] ?? limit), limit, FED_BYTES))
  admitted?.beginBody()
  try {
    await pipeBody(source, sink, limit, sinkMs)
  } finally {
    admitted?.endBody()
  }
}

async function pipeBody(source: PipedSource, sink: Writable, limit: number, sinkMs: number): Promise<void> {
  const { req } = source
  // `close` has been emitted already.
  if (source.gone || req.destroyed) throw tooEarly()
  askForBody(source, limit)
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
      timer = setTimeout(() => stop(stuck()), sinkMs)
    }
    const onData = (piece: Buffer) => {
      source.bodyBytes += piece.length
      if (source.bodyBytes > limit) return stop(failure('request_body_too_large', { limit }))
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
    // The client disconnected: the exchange ends by itself, and this refusal is not sent.
    const onClose = () => stop(tooEarly())
    const onBroken = () => stop(brokenBodyError(req))
    const offBroken = onBodyBroken(req, onBroken)
    sink.on('drain', onDrain)
    sink.on('finish', onFinish)
    sink.on('error', stop)
    req.on('data', onData)
    req.on('end', onEnd)
    req.on('close', onClose)
    // `close` follows and is handled there; without this listener Node throws.
    req.on('error', ignore)
    if (brokenBodyError(req) !== undefined) onBroken()
  })
}

function ignore(): void {}
