const HOUR_MS = 3_600_000

/**
 * Runs `work` immediately and then every hour, one run at a time. A rejection is passed to `onError`; the schedule
 * continues. The returned function aborts the signal, stops the schedule and resolves when no run is in progress.
 */
export function hourly(
  work: (stopping: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
  everyMs = HOUR_MS,
): () => Promise<void> {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const start = () => {
    // A slow disk or database can make a run longer than an hour.
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
