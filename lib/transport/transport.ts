/**
 * The contract between code that sends requests to backends and the client that carries them
 * (docs/adr/0021-one-http-client.md).
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { TraceContext } from '../base/trace-context.ts'
import type { OutgoingBody } from '../body/index.ts'

/**
 * - `connect`: no connection could be opened, or the request is invalid; nothing was sent.
 * - `connect-timeout`: it was not open, TLS included, within the connect timeout; nothing was sent.
 * - `reset`: the connection broke before the response head.
 * - `broken`: the connection broke, or the encoding was invalid, inside the body.
 */
export type TransportErrorKind = 'connect' | 'connect-timeout' | 'reset' | 'broken'

/** Why a response cannot be completed; `cause` is the system's, TLS's or parser's error. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly kind: TransportErrorKind

  constructor(kind: TransportErrorKind, cause: Error) {
    super(cause.message, { cause })
    this.kind = kind
  }
}

/**
 * Receives a response: onHead once, onData any number of times, then onEnd or onError once. Nothing is called before
 * send() has returned, nor after cancel() or release(). What a method throws is reported to onError.
 */
export interface ResponseHandler {
  /** The final response head; informational ones are skipped. A header that came several times is one value. */
  onHead(status: number, headers: IncomingHttpHeaders): void
  /** A piece of the body, decompressed. None comes between pause() and resume(). */
  onData(chunk: Buffer): void
  /** The body is complete. */
  onEnd(): void
  onError(error: TransportError): void
}

/** A request under way. */
export interface UpstreamCall {
  /** The connection has been opened, and the request is being written or has been. */
  readonly isSent: boolean
  /** Stops reading: backpressure towards the backend. */
  pause(): void
  /** Continues in a later tick. */
  resume(): void
  /** Closes the connection at once, whatever the request is doing; a finished response leaves it open. */
  cancel(): void
  /** Everything needed has been read: the connection is kept if the rest of the response arrives soon, else closed. */
  release(): void
}

/** The client of one backend. */
export interface UpstreamSender {
  send(request: UpstreamRequest, handler: ResponseHandler): UpstreamCall
}

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST'
  /** Below the backend's base URL; begins with a slash. */
  readonly path: string
  readonly requestId?: string | undefined
  /** The trace that the request is part of; null or absent: none. */
  readonly trace?: TraceContext | null
  readonly body: OutgoingBody | null
  /** Opens a connection for this request and closes it afterwards. */
  readonly fresh?: boolean | undefined
}
