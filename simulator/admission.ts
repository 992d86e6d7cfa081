/** An admitted request, running or waiting. */
export interface Admitted {
  /** Ends it, running or waiting. Further calls do nothing. */
  leave(): void
}

/** Limits the requests that run at the same time and those that wait, in the order of arrival. */
export class Admission {
  readonly #maxRunning: number
  readonly #maxWaiting: number
  readonly #waiting = new Set<() => void>()
  #running = 0

  constructor(maxRunning: number, maxWaiting: number) {
    this.#maxRunning = maxRunning
    this.#maxWaiting = maxWaiting
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting.size
  }

  get full(): boolean {
    return this.#running >= this.#maxRunning && this.#waiting.size >= this.#maxWaiting
  }

  /** Calls `start` once, now or when another request leaves. undefined: the queue is full, `start` is never called. */
  enter(start: () => void): Admitted | undefined {
    if (this.full) return undefined
    let state: 'waiting' | 'running' | 'left' = 'waiting'
    const run = () => {
      this.#waiting.delete(run)
      state = 'running'
      this.#running++
      start()
    }
    const leave = () => {
      if (state === 'waiting') this.#waiting.delete(run)
      if (state === 'running') this.#running--
      const freed = state === 'running'
      state = 'left'
      if (freed) this.#next()
    }
    if (this.#running < this.#maxRunning) run()
    else this.#waiting.add(run)
    return { leave }
  }

  #next(): void {
    const [first] = this.#waiting
    if (first !== undefined && this.#running < this.#maxRunning) first()
  }
}
