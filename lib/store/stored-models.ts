/** Models that operators have stored. Every process reads them (docs/ADMIN-API.md#models). */
import { isObject, parseJson } from '../base/json.ts'
import type { StoredModel } from '../config/served-models.ts'
import type { Session } from './database.ts'

export async function listStoredModels({ db }: Session): Promise<StoredModel[]> {
  const rows = await db.selectFrom('stored_models').select(['id', 'entry']).orderBy('id').execute()
  return rows.map(({ id, entry: text }) => {
    const entry = text === null ? null : parseJson(text)
    return { id, entry: isObject(entry) ? entry : null }
  })
}

/** Adds or replaces a stored model. `now`: microseconds since the epoch. */
export async function putStoredModel({ db }: Session, { id, entry }: StoredModel, now: number): Promise<void> {
  const values = { entry: entry === null ? null : JSON.stringify(entry), changed_at: now }
  await db
    .insertInto('stored_models')
    .values({ id, ...values })
    .onConflict(conflict => conflict.column('id').doUpdateSet(values))
    .execute()
}

export async function removeStoredModel({ db }: Session, id: string): Promise<void> {
  await db.deleteFrom('stored_models').where('id', '=', id).execute()
}
