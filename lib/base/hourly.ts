const HOUR_MS = 3_600_000

/**
 * Does the work at once and then every hour, never twice at the same time. Where it rejects, `failed` is told, and the next
 * round tries again. Answers what stops it: that aborts the signal and resolves when no round is running.
 */
export function hourly(
  work: (stopping: AbortSignal) => Promise<void>,
  failed: (error: unknown) => void,
  everyMs = HOUR_MS,
): () => Promise<void> {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const round = () => {
    // A round may take longer than an hour where a disk or a database is slow.
    running ??= work(stopping.signal)
      .catch(failed)
      .finally(() => {
        running = undefined
      })
  }
  const timer = setInterval(round, everyMs)
  timer.unref()
  round()
  return async () => {
    clearInterval(timer)
    stopping.abort()
    await running
  }
}
