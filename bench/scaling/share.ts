/** A fixed share of CPU for processes, by a control group of version 1. Needs Linux, and usually root. */
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = '/sys/fs/cgroup/cpu'
/** Short, so that a process that has used its share is not stopped for long. */
const PERIOD_US = 20_000

let made = 0

/** All processes in it together get this share of one core, even if the machine has more. */
export class Share {
  readonly #dir: string

  /** Throws if there are no control groups, or if they are not writable. */
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

  /** Periods in which its processes ran, and those of them in which they were stopped because the share was used. */
  periods(): { readonly all: number; readonly usedUp: number } {
    const stat = readFileSync(join(this.#dir, 'cpu.stat'), 'utf8')
    const value = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)?.[1])
    return { all: value('nr_periods'), usedUp: value('nr_throttled') }
  }

  /** Must be called after its processes have ended. */
  remove(): void {
    rmdirSync(this.#dir)
  }

  #write(name: string, value: number): void {
    writeFileSync(join(this.#dir, name), String(value))
  }
}
