/**
 * The result of `work`, or a rejection with the message `problem` after `ms` milliseconds. A result that arrived in time
 * counts, even if this process was too busy to read it in time.
 */
export function within<T>(ms: number, problem: string, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // In a tick, timers run before I/O and immediates after it, so data that has arrived is read first.
    const timer = setTimeout(() => setImmediate(() => reject(new Error(problem))), ms)
    work.then(
      value => {
        clearTimeout(timer)
        resolve(value)
      },
      error => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
