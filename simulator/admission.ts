/** One request's place: running, waiting or given back. */
export interface Place {
  /** Gives it back, running or waiting. Further calls do nothing. */
  leave(): void
}

/** How many requests run at once and how many may wait behind them, first come first served. */
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

  /** Calls `start` once, now or when there is room. undefined: the queue is full and nothing will happen. */
  enter(start: () => void): Place | undefined {
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
