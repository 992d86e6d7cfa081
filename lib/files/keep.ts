import type { Logger } from 'pino'
import type { FileStore } from './store.ts'

const HOUR_MS = 3_600_000

/** Sweeps at the start and then once an hour. Answers what stops it. */
export function keepFiles(store: Pick<FileStore, 'sweep'>, log: Logger, everyMs = HOUR_MS): () => Promise<void> {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const round = () => {
    // A slow disk must not meet a second sweep.
    running ??= store
      .sweep(stopping.signal)
      .catch(err => log.warn({ err }, 'expired files could not be removed: tried again later'))
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
