/**
 * What `work` comes to, if that is within so many milliseconds; else rejects with `problem`. Only the other side can be
 * late: an answer counts that has arrived while this process was too busy to read it.
 */
export function within<T>(ms: number, problem: string, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // Timers come before sockets in the event loop's turn: what has arrived is read before the immediate runs.
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
