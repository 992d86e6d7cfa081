export interface Flushable {
  onFlush(): void
}

export interface WriteQueue {
  add(job: Flushable): void
}

/**
 * Runs writes at the end of the tick, without delay: the event loop does not sleep within a tick.
 * That halves the CPU time of a small request (docs/adr/0013).
 */
export class LoopWriteQueue implements WriteQueue {
  #first: Flushable[] = []
  #next: Flushable[] = []
  #jobs: Flushable[] = []
  #isDue = false

  add(job: Flushable): void {
    this.#jobs.push(job)
    this.#schedule()
  }

  /** Like add(), but runs before all other jobs of the tick. For jobs on which the others depend. */
  addFirst(job: Flushable): void {
    this.#first.push(job)
    this.#schedule()
  }

  /** Like add(), but runs after the jobs of addFirst() and before those of add(). */
  addNext(job: Flushable): void {
    this.#next.push(job)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => this.#end())
  }

  #end(): void {
    const first = this.#first
    const next = this.#next
    const jobs = this.#jobs
    // Jobs added by these jobs run in the next tick.
    this.#isDue = false
    if (first.length > 0) this.#first = []
    if (next.length > 0) this.#next = []
    this.#jobs = []
    run(first)
    run(next)
    run(jobs)
  }
}

function run(jobs: readonly Flushable[]): void {
  for (const job of jobs) {
    try {
      job.onFlush()
    } catch (thrown) {
      // The other jobs must still run. The error becomes an uncaught exception, which the process handles.
      queueMicrotask(() => {
        throw thrown
      })
    }
  }
}
