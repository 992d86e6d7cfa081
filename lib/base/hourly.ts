const HOUR_MS = 3_600_000

/** Runs `work` now and every hour, one run at a time. The returned function aborts it and waits for its end. */
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
