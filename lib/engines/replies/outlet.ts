import type { Sink } from '../../canonical/reply.ts'
import type { GatewayError } from '../../errors/errors.ts'

/** The client's end of a reply, as an attempt uses it (lib/lifecycle/client-outlet.ts). */
export interface Outlet {
  /** The client is sent events; else one JSON body, or bytes. */
  readonly isStream: boolean
  /** The head has been sent: from now on a failure can only be reported in-band. */
  readonly committed: boolean
  /** The reply is complete, or has failed, as far as the last sink knows. */
  readonly ended: boolean
  /** Characters, or bytes of a pipe, that wait for flush(). */
  readonly waiting: number
  /**
   * Begins the reply: returns the first transformer and, for a stream or a pipe, sends the head. `mediaType`, `length`: of the
   * backend's response, for a pipe; the length is undefined where only its end will show it.
   */
  open(mediaType?: string, length?: number): Sink
  /** Takes bytes of the reply as they are. For pipes only. */
  bytes(chunk: Buffer): void
  /** Writes what is waiting. False: backpressure, until `drain` of the client's response. */
  flush(): boolean
  /** Writes a keep-alive comment. For streams only. */
  comment(): void
  /** The reply has failed. */
  fail(error: GatewayError): void
}
