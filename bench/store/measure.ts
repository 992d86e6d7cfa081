import type { Query } from './queries.ts'

export interface Timing {
  readonly p50Ms: number
  readonly p95Ms: number
  /** How many runs ended with an error: at the store's limit for one statement, clients get 503. */
  readonly failed: number
}

const RUNS = 100
/** Slow queries are run fewer times. */
const FEWEST_RUNS = 3
const BUDGET_MS = 2000

/** Runs the query again and again, one run after the other. The first run, which reads from the disk, counts as any other. */
export async function timeOf({ run }: Query): Promise<Timing> {
  const times: number[] = []
  let failed = 0
  const started = performance.now()
  while (times.length < FEWEST_RUNS || (times.length < RUNS && performance.now() - started < BUDGET_MS)) {
    const before = performance.now()
    await run().catch(() => failed++)
    times.push(performance.now() - before)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.ceil(times.length * share) - 1]!
  return { p50Ms: at(0.5), p95Ms: at(0.95), failed }
}
