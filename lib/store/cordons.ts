/** Backends that operators have cordoned. The store keeps them for every process and across restarts. */
import type { Logger } from 'pino'
import { hourly } from '../base/hourly.ts'
import { within } from '../base/timeout.ts'
import type { Session } from './database.ts'
import type { Store } from './store.ts'

interface Cordon {
  /** Address of the backend, without credentials. */
  readonly url: string
  /** undefined: every model at the address. */
  readonly model: string | undefined
}

/** Sends a backend no new requests until uncordonBackend(). `now`: microseconds since the epoch. */
export async function cordonBackend({ db }: Session, { url, model = '' }: Cordon, now: number): Promise<void> {
  await db
    .insertInto('backend_drains')
    .values({ url, model, drained_at: now })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Ends a cordon. Without a model, ends all cordons of the address. False: there was none. */
export async function uncordonBackend({ db }: Session, { url, model }: Cordon): Promise<boolean> {
  const cordons = db.deleteFrom('backend_drains').where('url', '=', url)
  const { numDeletedRows } = await (model === undefined
    ? cordons
    : cordons.where('model', '=', model)
  ).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function listCordons({ db }: Session): Promise<Cordon[]> {
  const rows = await db.selectFrom('backend_drains').select(['url', 'model']).orderBy('url').orderBy('model').execute()
  return rows.map(({ url, model }) => ({ url, model: model === '' ? undefined : model }))
}

/** A cordon is effective in every process within two seconds. */
const EVERY_MS = 1000
const WAIT_MS = 1000

interface CordonWatchOptions {
  readonly store: Store
  readonly apply: (cordons: readonly Cordon[]) => void
  readonly log: Logger
  readonly everyMs?: number
}

interface CordonWatch {
  /** Reads and applies the cordons now. Never rejects. Resolves after a time limit if the store does not answer. */
  refresh(): Promise<void>
  end(): Promise<void>
}

/** Reads the cordons periodically, and at once. While the store is unavailable, the last known ones stay. */
export async function watchCordons(options: CordonWatchOptions): Promise<CordonWatch> {
  const { store, apply, log, everyMs = EVERY_MS } = options
  let isFailing = false
  // One read at a time, so that an older result is never applied last.
  let reading: Promise<void> = Promise.resolve()
  const read = () => {
    const started = reading.then(async () => {
      await store.prepare()
      apply(await listCordons(store))
      isFailing = false
    })
    reading = started.catch(() => {})
    return started
  }
  const onError = (err: unknown) => {
    if (!isFailing) log.warn({ err }, 'drains of backends cannot be read from the store: the last known ones stay')
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
