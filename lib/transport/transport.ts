/** The contract between the clients of backends and the code that uses them (docs/adr/0021-one-http-client.md). */
import type { IncomingHttpHeaders } from 'node:http'
import type { TraceContext } from '../base/trace-context.ts'
import type { OutgoingBody } from '../body/index.ts'

/** A reused connection that the backend has closed fails within this time. Later, it may have read the request. */
export const STALE_WITHIN_MS = 1000

/**
 * - `connect`: the connection could not be opened, or the request is invalid.
 * - `connect-timeout`: the connection was not open, TLS included, within the connect timeout.
 * - `reset`: the connection broke before the response head. `broken`: inside the body, or its encoding is invalid.
 */
export type TransportErrorKind = 'connect' | 'connect-timeout' | 'reset' | 'broken'

/** Why a response cannot be completed. `cause`: the error of the system, of TLS or of the parser. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly kind: TransportErrorKind

  constructor(kind: TransportErrorKind, cause: Error) {
    super(cause.message, { cause })
    this.kind = kind
  }
}

/**
 * Receives a response: onHead once, onData any number of times, then onEnd or onError once. No method is called before
 * send() has returned, nor after cancel() or release(). What a method throws is reported to onError.
 */
export interface ResponseHandler {
  /** The final response head; informational ones are skipped. Each header has one value. */
  onHead(status: number, headers: IncomingHttpHeaders): void
  /** A piece of the body, decompressed. Not called between pause() and resume(). */
  onData(chunk: Buffer): void
  onEnd(): void
  onError(error: TransportError): void
}

/** A request that has been passed to a client. */
export interface UpstreamCall {
  /** The connection is open, and the request is being written or has been. */
  readonly isSent: boolean
  /** Stops reading: backpressure towards the backend. */
  pause(): void
  /** Continues in a later tick. */
  resume(): void
  /** Closes the connection at once, unless the response is complete. */
  cancel(): void
  /** The owner needs no more of the response. The connection is kept if the rest arrives soon, and closed otherwise. */
  release(): void
}

export interface UpstreamSender {
  send(request: UpstreamRequest, handler: ResponseHandler): UpstreamCall
}

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST'
  /** Relative to the backend's base URL. Begins with a slash. */
  readonly path: string
  readonly requestId?: string | undefined
  /** The trace that the request is part of; null or absent: none. */
  readonly trace?: TraceContext | null
  /** The header of the client's request; undefined: the request had none, or this one is the gateway's own. */
  readonly via?: string | undefined
  readonly body: OutgoingBody | null
  /** Opens a connection for this request and closes it afterwards. */
  readonly fresh?: boolean | undefined
}
