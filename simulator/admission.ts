/** An admitted request, running or waiting. */
interface Admitted {
  /** Ends the request. Further calls do nothing. */
  leave(): void
}

/** Limits the number of running and of waiting requests. Waiting requests start in the order of arrival. */
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

  get isFull(): boolean {
    return this.#running >= this.#maxRunning && this.#waiting.size >= this.#maxWaiting
  }

  /**
   * Calls `start` once, now or when another request leaves. undefined: the queue is full, and `start` is not called.
   */
  enter(start: () => void): Admitted | undefined {
    if (this.isFull) return undefined
    let state: 'waiting' | 'running' | 'left' = 'waiting'
    const run = () => {
      this.#waiting.delete(run)
      state = 'running'
      this.#running++
      start()
    }
    const leave = () => {
      if (state === 'waiting') this.#waiting.delete(run)
      const wasRunning = state === 'running'
      state = 'left'
      if (!wasRunning) return
      this.#running--
      this.#next()
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
