/** Something to be done at the end of a turn. */
export interface Flushable {
  onFlush(): void
}

export interface WriteQueue {
  add(job: Flushable): void
}

/**
 * Puts writes off to the end of this turn of the event loop, after all that had come in on any socket has been looked
 * at. Nothing waits longer for it: the loop would not have slept before. But one write then follows the other, to peers
 * that the first of them has woken, and runs code that the one before it has just run, which halves the CPU time of a
 * small request (docs/adr/0013).
 */
export class LoopWriteQueue implements WriteQueue {
  #jobs: Flushable[] = []

  add(job: Flushable): void {
    if (this.#jobs.push(job) === 1) setImmediate(() => this.#end())
  }

  #end(): void {
    const jobs = this.#jobs
    // What a job puts off in its turn is for the next one.
    this.#jobs = []
    for (const job of jobs) {
      try {
        job.onFlush()
      } catch (thrown) {
        // Other exchanges have nothing to do with it; it is for whoever hears of uncaught exceptions.
        queueMicrotask(() => {
          throw thrown
        })
      }
    }
  }
}
