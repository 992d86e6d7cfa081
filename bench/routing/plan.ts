import type { Session } from './workloads.ts'

/** Part of a run, in milliseconds. */
export interface Window {
  readonly from: number
  readonly until: number
}

/** The requests of a run at a base rate. */
export interface Plan {
  readonly sessions: readonly Session[]
  /** Requests per second. */
  readonly baseRate: number
  /** The requests that count; undefined: all but the first quarter and the last twentieth. */
  readonly counted: Window | undefined
}

/** A plan at another rate. Where turns are due at times of their own, pauses change with the rate. */
export function atRate({ sessions, baseRate, counted }: Plan, rate: number): Plan {
  const factor = rate / baseRate
  return {
    sessions: sessions.map(session => ({
      ...session,
      at: session.at / factor,
      ...(session.due !== undefined && { due: session.due.map(at => at / factor) }),
    })),
    baseRate: rate,
    counted: counted && { from: counted.from / factor, until: counted.until / factor },
  }
}
