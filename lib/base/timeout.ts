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

/** The number of steps that a wait is measured in. */
const STEPS = 5

/**
 * As within(), but only time counts in which this process could have received the result: however long it was busy at a
 * stretch, that is a fifth of `ms` at most.
 */
export function withinListening<T>(ms: number, problem: string, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = STEPS
    let over = false
    let timer: NodeJS.Timeout
    const listen = () => {
      if (over) return
      if (left-- === 0) reject(new Error(problem))
      else timer = setTimeout(() => setImmediate(listen), ms / STEPS)
    }
    listen()
    work.then(
      value => {
        over = true
        clearTimeout(timer)
        resolve(value)
      },
      error => {
        over = true
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
