import type { Logger } from 'pino'
import { hourly } from '../base/hourly.ts'
import type { FileStore } from './store.ts'

/** Removes expired files at the start and then every hour. Answers what stops it. */
export function keepFiles(store: Pick<FileStore, 'sweep'>, log: Logger): () => Promise<void> {
  return hourly(
    stopping => store.sweep(stopping),
    err => log.warn({ err }, 'expired files could not be removed: tried again later'),
  )
}
