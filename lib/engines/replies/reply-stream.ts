import type { Usage } from '../../canonical/reply.ts'
import type { GatewayError } from '../../errors/errors.ts'
import type { BackendFailure } from '../failure/failure.ts'

/** Passes the body of a backend's 200 response on to the client, as an attempt uses it. */
export interface ReplyStream {
  /** A part of the body has arrived. */
  readonly hasBegun: boolean
  /** The backend has generated a part of the answer. Another attempt would run the prompt twice. */
  readonly hasContent: boolean
  /** The usage that was reported last; undefined: none so far. */
  readonly usage: Usage | undefined
  /** The backend's reply is complete: the attempt must call finish(). */
  readonly isComplete: boolean
  /** Takes a piece of the body. Events that it completes have reached the outlet when this returns. */
  feed(chunk: Buffer): BackendFailure | undefined
  end(): BackendFailure | undefined
  /** Ends the reply to the client. Returns the failure of a transformer or encoder. */
  finish(): BackendFailure | undefined
  /** Fails the reply to the client. To be called after its head has been sent. */
  fail(error: GatewayError): void
  /** Sends a keep-alive comment, if the format of the client has them. */
  keepAlive(): BackendFailure | undefined
}
