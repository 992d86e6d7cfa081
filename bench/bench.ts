/** Shared by all sections: helpers, targets, amounts, and the form of a result. */
import type { Budget } from './budgets.ts'
import type { Helper } from './helper.ts'
import type { Site, TargetName } from './targets.ts'

export interface Bench {
  readonly site: Site
  readonly backend: Helper
  readonly load: Helper
  /** A second load generator, for requests while the first one's streams run. */
  readonly load2: Helper
  /** Measures less: for a quick check with rough figures. */
  readonly quick: boolean
  /** Programs that are compared with where they are installed. */
  readonly peers: readonly ('portkey' | 'nginx')[]
  say(line: string): void
}

/** Measurements of each target, one for each round. */
export type Measured = Partial<Record<TargetName, readonly number[]>>

export interface Row {
  readonly what: string
  readonly unit: string
  readonly measured: Measured
  readonly budget?: Budget
}

export type Section = (bench: Bench) => Promise<readonly Row[]>

export function sleep(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

export class Samples {
  readonly #lists = new Map<TargetName, number[]>()

  add(name: TargetName, value: number): void {
    const list = this.#lists.get(name)
    if (list === undefined) this.#lists.set(name, [value])
    else list.push(value)
  }

  get measured(): Measured {
    return Object.fromEntries(this.#lists)
  }
}
