/** A bound for a row of the benchmark: docs/BENCHMARKS.md compares it with what was measured. */
export interface Budget {
  /** The target whose figure `limit` is a multiple of. Null: `limit` has the unit of the row. */
  readonly against: 'bare' | null
  readonly limit: number
  /** A higher figure is better. */
  readonly atLeast?: true
}

export const BUDGETS = {
  request: { against: 'bare', limit: 1.76 },
  embedding: { against: 'bare', limit: 1.5 },
  chatEvent: { against: 'bare', limit: 1.12 },
  stream: { against: 'bare', limit: 0.6 },
  /** Of 2,000 streams. */
  crowdedStream: { against: 'bare', limit: 0.75 },
  /** ms of CPU for a megabyte. */
  body: { against: null, limit: 4.5 },
  /** Seconds until the first 200. */
  start: { against: null, limit: 0.65 },
  /** MB of resident memory. */
  idleMemory: { against: null, limit: 170 },
  /** MB of resident memory after 90,000 small chats. */
  plateau: { against: null, limit: 290 },
  /** Records per second. */
  intoSqlite: { against: null, limit: 20_000, atLeast: true },
} as const satisfies Readonly<Record<string, Budget>>
