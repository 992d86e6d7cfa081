/** A scheduled task. The ticker sets both numbers. */
export interface Timed {
  /** Time of performance.now(). */
  due: number
  /** Slot of the wheel; -1: not scheduled. */
  slot: number
  onTick(now: number): void
}

const TICK_MS = 4
const SLOTS = 512

/**
 * A timing wheel with slots of 4 ms. It has one timer for all streams, which would otherwise set tens of thousands of
 * timers per second. Tasks beyond one revolution stay in their slot until they are due.
 */
export class Ticker {
  readonly #slots = Array.from({ length: SLOTS }, () => new Set<Timed>())
  #size = 0
  #cursor = 0
  #timer: NodeJS.Timeout | undefined

  /** Number of scheduled tasks. */
  get size(): number {
    return this.#size
  }

  schedule(task: Timed, due: number): void {
    this.cancel(task)
    if (this.#timer === undefined) {
      this.#cursor = Math.floor(performance.now() / TICK_MS)
      this.#timer = setInterval(() => this.#turn(), TICK_MS)
    }
    const tick = Math.max(Math.ceil(due / TICK_MS), this.#cursor + 1)
    task.due = due
    task.slot = tick % SLOTS
    this.#slots[task.slot]!.add(task)
    this.#size++
  }

  cancel(task: Timed): void {
    if (task.slot === -1) return
    this.#slots[task.slot]!.delete(task)
    task.slot = -1
    this.#size--
    if (this.#size === 0) this.#stop()
  }

  #turn(): void {
    const now = performance.now()
    const target = Math.floor(now / TICK_MS)
    // After a long pause every slot is visited once, not once per missed revolution.
    const first = Math.max(this.#cursor + 1, target - SLOTS + 1)
    for (let tick = first; tick <= target; tick++) {
      this.#cursor = tick
      for (const task of this.#slots[tick % SLOTS]!) {
        if (task.due > now) continue
        this.cancel(task)
        task.onTick(now)
      }
    }
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
