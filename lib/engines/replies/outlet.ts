import type { Sink } from '../../canonical/reply.ts'
import type { GatewayError } from '../../errors/errors.ts'

/** The end of a reply at the client, as an attempt uses it (lib/lifecycle/client-outlet.ts). */
export interface Outlet {
  /** The reply is sent as events. False: as one JSON body, or as bytes. */
  readonly isStream: boolean
  /** The response head has been sent. A failure can only be reported in-band. */
  readonly committed: boolean
  /** The last sink has received the end or the failure of the reply. */
  readonly ended: boolean
  /** Number of characters, or of bytes of a pipe, that wait for flush(). */
  readonly waiting: number
  /**
   * Begins the reply: returns the first transformer and, for a stream or a pipe, sends the head.
   * `mediaType`, `length`: those of the backend's response, for pipes only. No length: the end of the reply decides.
   */
  open(mediaType?: string, length?: number): Sink
  /** Writes bytes of the reply unchanged. For pipes only. */
  bytes(chunk: Buffer): void
  /** Writes all waiting output. False: backpressure, until `drain` of the client's response. */
  flush(): boolean
  /** Writes a keep-alive comment. For streams only. */
  comment(): void
  fail(error: GatewayError): void
}
