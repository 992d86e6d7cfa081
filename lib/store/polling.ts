import type { Logger } from 'pino'
import { hourly } from '../base/hourly.ts'
import { within } from '../base/timeout.ts'
import type { Store } from './store.ts'

/** A change is effective in every process within two seconds. */
const EVERY_MS = 1000
const WAIT_MS = 1000

interface PollingOptions<T> {
  readonly store: Store
  readonly log: Logger
  /** Logged once while the store cannot be read: what cannot be read, and what stays. */
  readonly failure: string
  read(store: Store): Promise<T>
  apply(value: T): void | Promise<void>
  readonly everyMs?: number | undefined
}

export interface Polling {
  /** Reads and applies the values now. Never rejects. Resolves after a time limit if the store does not answer. */
  refresh(): Promise<void>
  end(): Promise<void>
}

/** Reads values from the store periodically, and at once. While the store is unavailable, the last known ones stay. */
export async function pollStore<T>(options: PollingOptions<T>): Promise<Polling> {
  const { store, log, failure, everyMs = EVERY_MS } = options
  let isFailing = false
  // One read at a time, so that an older result is never applied last.
  let reading: Promise<void> = Promise.resolve()
  const read = () => {
    const started = reading.then(async () => {
      await store.prepare()
      await options.apply(await options.read(store))
      isFailing = false
    })
    reading = started.catch(() => {})
    return started
  }
  const onError = (err: unknown) => {
    if (!isFailing) log.warn({ err }, failure)
    isFailing = true
  }
  await read().catch(onError)
  const end = hourly(read, onError, everyMs)
  return {
    refresh: () => within(WAIT_MS, 'the store does not answer', read()).catch(() => {}),
    async end() {
      await end()
      await reading
    },
  }
}
