import type { Logger } from 'pino'
import type { KeyRing } from '../accounts/access.ts'
import { noteKeyUse } from './keys.ts'
import type { Store } from './store.ts'

/** Keys are written at most this often. */
const EVERY_MS = 60_000

export interface KeyUseOptions {
  readonly store: Store
  readonly ring: KeyRing
  readonly log: Logger
  readonly everyMs?: number
}

/**
 * Writes into the store when its keys were last used, apart from requests. What the store did not take is lost: the next use
 * tells more. Returns a function that writes what is left and stops.
 */
export function keepKeyUse({ store, ring, log, everyMs = EVERY_MS }: KeyUseOptions): () => Promise<void> {
  let running: Promise<void> | undefined
  const write = async () => {
    const uses = ring.takeUses()
    if (uses.size === 0) return
    try {
      await store.prepare()
      await noteKeyUse(store, uses)
    } catch (err) {
      log.warn({ err }, 'the last use of keys could not be written')
    }
  }
  const timer = setInterval(() => {
    running ??= write().finally(() => {
      running = undefined
    })
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
    await write()
  }
}
