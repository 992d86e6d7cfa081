/** Rejects with the message `problem` if `work` takes more than `ms`. A result that is only read late counts. */
export function within<T>(ms: number, problem: string, work: Promise<T>): Promise<T> {
  return withinSteps(1, ms, problem, work)
}

/** Number of steps by which withinListening() measures its time. */
const STEPS = 5

/** Like within(), but a stretch in which this process is busy counts as at most a fifth of `ms`. */
export function withinListening<T>(ms: number, problem: string, work: Promise<T>): Promise<T> {
  return withinSteps(STEPS, ms, problem, work)
}

function withinSteps<T>(steps: number, ms: number, problem: string, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let left = steps
    let isSettled = false
    let timer: NodeJS.Timeout
    const wait = () => {
      if (isSettled) return
      if (left-- === 0) return reject(new Error(problem))
      // In a tick, timers run before I/O and immediates after it, so data that has arrived is read first.
      timer = setTimeout(() => setImmediate(wait), ms / steps)
    }
    const settle = () => {
      isSettled = true
      clearTimeout(timer)
    }
    wait()
    work.then(
      value => {
        settle()
        resolve(value)
      },
      error => {
        settle()
        reject(error)
      },
    )
  })
}
