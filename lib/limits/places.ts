/**
 * Places: the shares of a limit on requests in flight that processes hold. A process with a place starts a request
 * without a question. All processes together hold at most the limit.
 */
export interface PlaceStore {
  /** Sets the places of this process. Never rejects. undefined: the store has not answered. */
  ask(name: string, ask: PlaceAsk): Promise<PlaceReply | undefined>
  /** The places of this process while the store does not answer, at least 1. */
  share(limit: number): number
  /** `changed`: called with the name of a limit for which a process waits, or of which it has given places back. */
  watch(changed: (name: string) => void): void
}

export interface PlaceAsk {
  readonly limit: number
  /** Held places that this process keeps in any case. */
  readonly kept: number
  /** For its requests in flight, and those that wait. */
  readonly needed: number
  /** Needed and spare places. Spare ones are granted while no other process waits. */
  readonly wanted: number
}

export interface PlaceReply {
  /** At least `kept`. */
  readonly granted: number
  /** Another process waits for places. */
  readonly isContended: boolean
  /** The fair share of one process while others wait. */
  readonly fair: number
}

/** Time to live of places that are not renewed. */
export const PLACE_LEASE_MS = 9000
