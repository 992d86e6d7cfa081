/** What the figures of the benchmark may be. */
export interface Budget {
  /** The target whose figure the bounds are multiples of; null: they are figures themselves. */
  readonly against: 'bare' | 'portkey' | null
  readonly limit: number
  readonly aim?: number
  /** A higher figure is better. */
  readonly atLeast?: true
}

export const BUDGETS = {
  request: { against: 'bare', limit: 1.25, aim: 1.05 },
  firstRequests: { against: 'bare', limit: 1.8, aim: 1.5 },
  requestRate: { against: 'portkey', limit: 3.5, aim: 5, atLeast: true },
  embedding: { against: 'bare', limit: 1.25, aim: 1.05 },
  chatEvent: { against: 'bare', limit: 1, aim: 0.95 },
  translatedEvent: { against: 'bare', limit: 1.1, aim: 1 },
  flatEvent: { against: 'bare', limit: 1.3, aim: 1 },
  stream: { against: 'bare', limit: 0.6, aim: 0.4 },
  gap: { against: null, limit: 8, aim: 3 },
  body: { against: 'bare', limit: 2.5, aim: 2 },
  /** What large bodies add to the gaps of streams. */
  disturbance: { against: null, limit: 10, aim: 3 },
  start: { against: null, limit: 0.6, aim: 0.4 },
  idleMemory: { against: null, limit: 130, aim: 110 },
  plateau: { against: null, limit: 220, aim: 180 },
  idleCpu: { against: null, limit: 10, aim: 5 },
  append: { against: null, limit: 30 },
  intoSqlite: { against: null, limit: 20_000, atLeast: true },
  intoPostgres: { against: null, limit: 10_000, atLeast: true },
  workers: { against: null, limit: 1.8, atLeast: true },
} as const satisfies Readonly<Record<string, Budget>>
