import type { Writable } from 'node:stream'
import { failure } from '../errors/errors.ts'
import type { BodyCharge, SlowUploads } from './memory.ts'
import { askForBody, type BodySource, breakBody, brokenBodyError, onBodyBroken } from './read.ts'

/** The refusal if the client disconnects before the end of its body. The exchange ends, and it is not sent. */
export const tooEarly = () => failure('http_400', { problem: 'The body ended too early.' })
/** The refusal if the sink stalls: a form parser may wait forever in a malformed body. */
const stuck = () => failure('http_408', {}, { headers: { connection: 'close' } })

/** Maximum time for a sink to accept a piece, and to finish after the last one. */
const MAX_SINK_MS = 30_000

/** A request whose body is piped into a stream. */
export interface PipedSource extends BodySource {
  /** The client has disconnected. */
  readonly gone: boolean
  /** Bytes of the body that have been received. */
  bodyBytes: number
  /** Memory for the body. The caller of feedBody() releases it. */
  readonly charge?: Pick<BodyCharge, 'reserve'>
  /** Counts the body for its key and account while it is read. */
  readonly admitted?: { beginBody(): void; endBody(): void } | null
  readonly host?: { readonly bodies: { readonly slowUploads: SlowUploads } }
}

/** Reads a body, and refuses it with 408 if its client hardly sends anything. */
export async function watchUpload<T>(
  source: Pick<PipedSource, 'req' | 'bodyBytes' | 'host'>,
  read: () => Promise<T>,
): Promise<T> {
  const { req } = source
  const stopWatching = source.host?.bodies.slowUploads.watch({
    get received() {
      return source.bodyBytes
    },
    get isHeldUp() {
      return req.isPaused() || req.complete
    },
    onStalled: () => breakBody(req, failure('http_408', {})),
  })
  try {
    return await read()
  } finally {
    stopWatching?.()
  }
}

/** Approximate memory of a piped body: buffers of the connection, of a parser, and of a file that is written. */
const PIPED_BYTES = 256 * 1024

/**
 * Pipes the body of a request into `sink` and resolves when the sink has finished. The connection stays open, and the
 * rest of the body is left to discardBody(). Rejects with the sink's own error, or with:
 * - 413 above `limit` bytes;
 * - 408 if the client or the sink stalls;
 * - 400 if the client disconnects;
 * - 429 or 503 if there is no memory.
 */
export async function feedBody(
  source: PipedSource,
  sink: Writable,
  limit: number,
  sinkMs = MAX_SINK_MS,
): Promise<void> {
  const { charge, admitted, headers } = source
  await charge?.reserve(Math.min(Number(headers['content-length'] ?? limit), limit, PIPED_BYTES))
  admitted?.beginBody()
  try {
    await watchUpload(source, () => pipeBody(source, sink, limit, sinkMs))
  } finally {
    admitted?.endBody()
  }
}

async function pipeBody(source: PipedSource, sink: Writable, limit: number, sinkMs: number): Promise<void> {
  const { req } = source
  // In these cases `close` has already been emitted.
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
    const onClose = () => stop(tooEarly())
    const onBroken = () => stop(brokenBodyError(req))
    const offBroken = onBodyBroken(req, onBroken)
    sink.on('drain', onDrain)
    sink.on('finish', onFinish)
    sink.on('error', stop)
    req.on('data', onData)
    req.on('end', onEnd)
    req.on('close', onClose)
    // `close` follows and handles the error. Without this listener Node throws.
    req.on('error', ignore)
    if (brokenBodyError(req) !== undefined) onBroken()
  })
}

function ignore(): void {}
