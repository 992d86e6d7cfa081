import type { Usage } from '../../canonical/reply.ts'
import type { GatewayError } from '../../errors/errors.ts'
import type { BackendFailure } from '../failure/failure.ts'

/** The body of a backend's 200 response on its way to the client, as an attempt uses it. */
export interface ReplyStream {
  /** Content has come. */
  readonly begun: boolean
  /** The backend has generated a part of the answer: another attempt would run the prompt twice. */
  readonly hasContent: boolean
  /** As last reported; undefined: not yet, or not at all. */
  readonly usage: Usage | undefined
  /** The reply of the backend is complete. finish() is due. */
  readonly complete: boolean
  /** Takes a piece of the body. What it completes has reached the outlet when this returns. */
  feed(chunk: Buffer): BackendFailure | undefined
  /** The body has ended. */
  end(): BackendFailure | undefined
  /** Ends the reply of the client. Returns the failure of a transformer or encoder. */
  finish(): BackendFailure | undefined
  /** Fails the reply of the client, after its head has been sent. */
  fail(error: GatewayError): void
  /** Sends the client a sign of life, where its format has one. */
  keepAlive(): BackendFailure | undefined
}
