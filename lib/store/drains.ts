/** Backends that operators drain: kept in the store, so that every process knows them and a restart forgets none. */
import type { Logger } from 'pino'
import { hourly } from '../base/hourly.ts'
import { within } from '../base/timeout.ts'
import type { Session } from './database.ts'
import type { Store } from './store.ts'

export interface Drain {
  /** Address of the backend, without credentials. */
  readonly url: string
  /** undefined: every model at the address. */
  readonly model: string | undefined
}

/** Drains the backend until it is undrained. `now`: microseconds since the epoch. */
export async function drainBackend({ db }: Session, { url, model = '' }: Drain, now: number): Promise<void> {
  const row = { url, model, drained_at: now }
  await db
    .insertInto('backend_drains')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Ends a drain. Without a model, all drains of the address. False: there was none. */
export async function undrainBackend({ db }: Session, { url, model }: Drain): Promise<boolean> {
  const drains = db.deleteFrom('backend_drains').where('url', '=', url)
  const { numDeletedRows } = await (model === undefined ? drains : drains.where('model', '=', model)).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function listDrains({ db }: Session): Promise<Drain[]> {
  const rows = await db.selectFrom('backend_drains').select(['url', 'model']).orderBy('url').orderBy('model').execute()
  return rows.map(({ url, model }) => ({ url, model: model === '' ? undefined : model }))
}

/** A drain takes effect within two seconds everywhere. */
const EVERY_MS = 1000

export interface DrainWatchOptions {
  readonly store: Store
  readonly apply: (drains: readonly Drain[]) => void
  readonly log: Logger
  readonly everyMs?: number
}

export interface DrainWatch {
  /** Applies them now. Never rejects; resolves after a while if the store does not answer. */
  look(): Promise<void>
  end(): Promise<void>
}

/** How long a look waits for the store. */
const WAIT_MS = 1000

/**
 * Applies the drains of the store, and again whenever they may have changed. While the store is unavailable the last known
 * ones stay. Resolves after the first attempt.
 */
export async function watchDrains(options: DrainWatchOptions): Promise<DrainWatch> {
  const { store, apply, log, everyMs = EVERY_MS } = options
  let failing = false
  // One after the other: what was read first must not be applied last.
  let reading: Promise<void> = Promise.resolve()
  const read = () => {
    const begun = reading.then(async () => {
      await store.prepare()
      apply(await listDrains(store))
      failing = false
    })
    reading = begun.catch(() => {})
    return begun
  }
  const onError = (err: unknown) => {
    if (!failing) log.warn({ err }, 'drains of backends cannot be read from the store: the last known ones stay')
    failing = true
  }
  await read().catch(onError)
  const end = hourly(read, onError, everyMs)
  return {
    look: () => within(WAIT_MS, 'the store does not answer', read()).catch(() => {}),
    async end() {
      await end()
      await reading
    },
  }
}
