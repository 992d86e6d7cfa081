/** A fixed share of CPU for a process, by the kernel's own means: a control group of version 1. Linux, and usually root. */
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = '/sys/fs/cgroup/cpu'
/** Short, so that a process that has used up its share does not stand still for long. */
const PERIOD_US = 20_000

let made = 0

/** Everything that runs in it gets this part of one core together, whatever the machine has left. */
export class Share {
  readonly #dir: string

  /** Throws where there are no control groups, or none that may be written. */
  constructor(ofOneCore: number) {
    this.#dir = join(ROOT, `sluiceway-bench-${process.pid}-${made++}`)
    mkdirSync(this.#dir)
    this.#write('cpu.cfs_period_us', PERIOD_US)
    this.#write('cpu.cfs_quota_us', Math.round(PERIOD_US * ofOneCore))
  }

  /** Moves a process with all its threads. */
  add(pid: number): void {
    this.#write('cgroup.procs', pid)
  }

  /** Periods in which something ran so far, and those of them in which it was stopped because the share was used up. */
  periods(): { readonly all: number; readonly usedUp: number } {
    const stat = readFileSync(join(this.#dir, 'cpu.stat'), 'utf8')
    const value = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)?.[1])
    return { all: value('nr_periods'), usedUp: value('nr_throttled') }
  }

  /** Once its processes have ended. */
  remove(): void {
    rmdirSync(this.#dir)
  }

  #write(name: string, value: number): void {
    writeFileSync(join(this.#dir, name), String(value))
  }
}
