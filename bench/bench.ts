/** Shared by all sections: helpers, targets, amounts, and the form of a result. */
import type { Helper } from './helper.ts'
import type { Site, Target, TargetName } from './targets.ts'

export interface Bench {
  readonly site: Site
  readonly backend: Helper
  readonly load: Helper
  /** A second load generator, for requests while the first one's streams run. */
  readonly load2: Helper
  /** Measures less: for a quick check with rough figures. */
  readonly quick: boolean
  readonly portkey: boolean
  say(line: string): void
}

export type Values = Partial<Record<TargetName, number>>

/** The limit of a figure: a multiple of another target's figure, or an absolute value. */
export interface Budget {
  readonly against: 'bare' | 'portkey' | null
  readonly limit: number
  readonly aim?: number
  /** A higher figure is better. */
  readonly atLeast?: true
}

export interface Row {
  readonly what: string
  readonly unit: string
  readonly values: Values
  readonly budget?: Budget
}

export type Section = (bench: Bench) => Promise<readonly Row[]>

export function sleep(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

/** The cost of one measured unit of work for this target. */
export async function cpuMs<T>({ process }: Target, work: () => Promise<T>): Promise<{ cpuMs: number; result: T }> {
  const before = process?.cpuMs() ?? 0
  const result = await work()
  return { cpuMs: (process?.cpuMs() ?? 0) - before, result }
}

/** The measurements of each target, and their medians. */
export class Samples {
  readonly #lists = new Map<TargetName, number[]>()
  readonly #summary: (values: readonly number[]) => number

  constructor(summary: (values: readonly number[]) => number) {
    this.#summary = summary
  }

  add(name: TargetName, value: number): void {
    const list = this.#lists.get(name)
    if (list === undefined) this.#lists.set(name, [value])
    else list.push(value)
  }

  get values(): Values {
    return Object.fromEntries(Array.from(this.#lists, ([name, list]) => [name, this.#summary(list)]))
  }
}
