/**
 * The result of `work`, or a rejection with the message `problem` when there is none after so many milliseconds. A result
 * that has arrived in time counts, also when this process was too busy to read it in time.
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
