import type { GatewayError } from '../errors/errors.ts'

/** Hears how a body gets on that is sent while it arrives. */
export interface ArrivalListener {
  /** Something has moved; from now on this side is waited for. */
  onWait(side: 'client' | 'backend'): void
  /** The body has been passed on as a whole. */
  onSent(): void
  /** The rest of the body is refused, or does not come. */
  onRefused(error: GatewayError): void
}

/** A body that is sent while it arrives. */
export interface ArrivingBody {
  /** What has been passed on is still held: the body can be sent again. */
  readonly isRepeatable: boolean
  /** One listener at a time. */
  watch(listener: ArrivalListener): void
}
