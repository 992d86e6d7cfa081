import type { GatewayError } from '../../errors/errors.ts'

/** Observes a body that is sent to a backend while it arrives. */
export interface ArrivalListener {
  /** The upload progressed; it now waits for this side. */
  onWait(side: 'client' | 'backend'): void
  /** The whole body has been passed on. */
  onSent(): void
  /** The rest of the body is refused, or does not arrive. */
  onRefused(error: GatewayError): void
}

/** A body that is sent while it arrives. */
export interface ArrivingBody {
  /** What has been passed on is still in memory: the body can be sent again. */
  readonly isRepeatable: boolean
  /** One listener at a time. */
  watch(listener: ArrivalListener): void
}
