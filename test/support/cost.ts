/**
 * The cost of work, measured in CPU time of this thread relative to other work of the same run, not in wall time. A
 * slow or busy machine makes both sides slower.
 */
import { expect } from 'chai'

/**
 * Milliseconds of CPU time that this thread spends on `work`: the minimum of several runs, to exclude garbage
 * collections.
 */
export function cpuMs(work: () => unknown, runs = 5): number {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

/** The factor between the sizes of the two inputs. */
const TIMES = 8

/** Allowance for constant costs and caches. */
const SLACK = 4

/** Below this, the resolution of CPU time is too coarse. */
const LEAST_MS = 1

/** Creates an input of a size, and works on it. Creating it is not measured. */
export interface Sized<T> {
  make(size: number): T
  work(input: T): unknown
}

function costs<T>({ make, work }: Sized<T>, size: number): { readonly small: number; readonly large: number } {
  const [few, many] = [make(size), make(size * TIMES)]
  return {
    small: Math.max(
      cpuMs(() => work(few)),
      LEAST_MS,
    ),
    large: cpuMs(() => work(many)),
  }
}

/** Tries, of which one must succeed: in a virtual machine, CPU time includes time that the host takes. */
const ATTEMPTS = 3

/** Fails if an input of eight times the size costs much more than eight times as much. */
export function expectLinear<T>(sized: Sized<T>, size: number, what?: string): void {
  expectGrowth(sized, size, TIMES * SLACK, what)
}

/** Fails if an input of eight times the size costs more, beyond noise: only a part of it may be read. */
export function expectBounded<T>(sized: Sized<T>, size: number, what?: string): void {
  expectGrowth(sized, size, SLACK, what)
}

function expectGrowth<T>(sized: Sized<T>, size: number, most: number, what: string | undefined): void {
  for (let attempt = 1; ; attempt++) {
    const { small, large } = costs(sized, size)
    if (large < small * most) return
    if (attempt === ATTEMPTS) expect(large, what).below(small * most)
  }
}

/** Fails if `work` costs `times` as much as other work, or more. */
export function expectCheap(work: () => unknown, other: () => unknown, times: number): void {
  for (let attempt = 1; ; attempt++) {
    const [cost, most] = [cpuMs(work), cpuMs(other) * times]
    if (cost < most) return
    if (attempt === ATTEMPTS) expect(cost).below(most)
  }
}

/** Limits of asynchronous work, in units of 5 ms on a quiet machine: writing and reading a megabyte of JSON. */
export interface Quick {
  /** For the longest time without a yield. */
  readonly longest: number
  /** For all of the work. */
  readonly total?: number
}

/** Fails if asynchronous work keeps this thread busy for longer. `job` runs again for each of several attempts. */
export async function expectQuick(job: () => Promise<unknown>, most: Quick, what: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const before = process.threadCpuUsage()
    const longestMs = await longestBusy(job)
    const { user, system } = process.threadCpuUsage(before)
    const unit = unitMs()
    const longest = longestMs / unit
    const total = (user + system) / 1000 / unit
    const { total: mostTotal = Number.POSITIVE_INFINITY } = most
    if (longest < most.longest && total < mostTotal) return
    if (attempt < ATTEMPTS) continue
    expect(longest, `${what}: without yielding`).below(most.longest)
    expect(total, `${what}: in all`).below(mostTotal)
  }
}

/** CPU time of a fixed piece of work on this machine: writing and reading a megabyte of JSON. */
function unitMs(): number {
  const numbers = Array.from({ length: 150_000 }, (_, i) => i)
  return Math.max(
    cpuMs(() => JSON.parse(JSON.stringify(numbers))),
    LEAST_MS,
  )
}

/** The longest time that this thread did not yield, in ms of its own CPU time. */
export async function longestBusy(job: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = process.threadCpuUsage()
  const measure = () => {
    const { user, system } = process.threadCpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.threadCpuUsage()
  }
  let next: NodeJS.Immediate
  const turn = () => {
    measure()
    next = setImmediate(turn)
  }
  next = setImmediate(turn)
  try {
    await job()
    // Work that has never yielded ends before the first turn.
    measure()
  } finally {
    clearImmediate(next)
  }
  return longest
}
