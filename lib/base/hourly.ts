const HOUR_MS = 3_600_000

/**
 * Runs `work` at once and then every hour, one run at a time. If it rejects, `onError` is called, and the next run tries again.
 * Returns a function that aborts the signal, stops the schedule and resolves when no run is in progress.
 */
export function hourly(
  work: (stopping: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
  everyMs = HOUR_MS,
): () => Promise<void> {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const start = () => {
    // With a slow disk or database a run may take longer than an hour.
    running ??= work(stopping.signal)
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  }
  const timer = setInterval(start, everyMs)
  timer.unref()
  start()
  return async () => {
    clearInterval(timer)
    stopping.abort()
    await running
  }
}
