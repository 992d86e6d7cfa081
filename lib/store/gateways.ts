/** Snapshots of the gateways of a store. Each gateway writes its own row. */
import { type RawBuilder, sql } from 'kysely'
import type { Dialect, Session } from './database.ts'

export interface GatewayRow {
  /** UUID of a start. */
  readonly id: string
  /** JSON text. */
  readonly snapshot: string
  /** Milliseconds since it was written, by the clock of the database, because clocks of machines differ. */
  readonly ageMs: number
}

/** Changes with the content of snapshots. Gateways of different versions do not read the snapshots of each other. */
const FORMAT = 1

export async function putGateway({ db, dialect }: Session, id: string, snapshot: string): Promise<void> {
  const row = { format: FORMAT, snapshot, written_at: nowIn(dialect) }
  await db
    .insertInto('gateways')
    .values({ id, ...row })
    .onConflict(conflict => conflict.column('id').doUpdateSet(row))
    .execute()
}

export async function removeGateway({ db }: Session, id: string): Promise<void> {
  await db.deleteFrom('gateways').where('id', '=', id).execute()
}

/** Removes the rows of gateways that have not written for `ms`. */
export async function expireGateways({ db, dialect }: Session, ms: number): Promise<void> {
  await db
    .deleteFrom('gateways')
    .where(sql<number>`${nowIn(dialect)} - written_at`, '>', ms)
    .execute()
}

/** All gateways but the one with this id. */
export function otherGateways({ db, dialect }: Session, id: string): Promise<GatewayRow[]> {
  return db
    .selectFrom('gateways')
    .select(['id', 'snapshot', sql<number>`${nowIn(dialect)} - written_at`.as('ageMs')])
    .where('id', '!=', id)
    .where('format', '=', FORMAT)
    .orderBy('id')
    .execute()
}

/** Milliseconds since the epoch. */
function nowIn(dialect: Dialect): RawBuilder<number> {
  return dialect === 'postgres'
    ? sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql`cast(unixepoch('subsec') * 1000 as integer)`
}
