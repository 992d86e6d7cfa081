import type { Query } from './queries.ts'

export interface Timing {
  readonly p50Ms: number
  readonly p95Ms: number
  /** Runs that failed. At the statement timeout, clients get 503. */
  readonly failed: number
}

const RUNS = 100
/** Slow queries have fewer runs. */
const FEWEST_RUNS = 3
const BUDGET_MS = 2000

/** Runs the query repeatedly. The first run, which reads from the disk, counts like the others. */
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
