/** Backends that operators have cordoned. The store keeps them for every process and across restarts. */
import type { Logger } from 'pino'
import type { Session } from './database.ts'
import { type Polling, pollStore } from './polling.ts'
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

interface CordonWatchOptions {
  readonly store: Store
  readonly apply: (cordons: readonly Cordon[]) => void
  readonly log: Logger
  readonly everyMs?: number
}

/** Reads the cordons now and periodically. */
export function watchCordons(options: CordonWatchOptions): Promise<Polling> {
  const failure = 'drains of backends cannot be read from the store: the last known ones stay'
  return pollStore({ ...options, read: listCordons, failure })
}
