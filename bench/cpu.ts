/** CPU time of a piece of work, with the work that it defers: rows for the store's thread, compilation, garbage. */
import { sleep } from './bench.ts'
import type { Target } from './targets.ts'

const WINDOW_MS = 100
/** Quiet windows, one after another, after which nothing is left to do: longer than the pauses of the record writer. */
const QUIET_WINDOWS = 4
/** CPU time of a window in which a process does nothing but its timers: one tick of the kernel's clock. */
const IDLE_MS = 10
const LONGEST_MS = 10_000

/** CPU time that the work has cost this target, in milliseconds; 0 where there is no process. */
export async function cpuMs<T>({ process }: Target, work: () => Promise<T>): Promise<{ cpuMs: number; result: T }> {
  if (process === null) return { cpuMs: 0, result: await work() }
  const before = process.cpuMs()
  const result = await work()
  return { cpuMs: (await settledCpuMs(() => process.cpuMs())) - before, result }
}

/** CPU time so far as soon as it does not grow any more: without the quiet windows at the end. */
export async function settledCpuMs(read: () => number, windowMs = WINDOW_MS): Promise<number> {
  const deadline = performance.now() + LONGEST_MS
  let settled = read()
  for (let quiet = 0, last = settled; quiet < QUIET_WINDOWS && performance.now() < deadline; ) {
    await sleep(windowMs)
    const now = read()
    if (now - last <= IDLE_MS) quiet++
    else {
      quiet = 0
      settled = now
    }
    last = now
  }
  return settled
}
