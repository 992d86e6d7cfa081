import { type RawBuilder, sql } from 'kysely'
import type { Store } from '../../lib/store/store.ts'

/** The query plan of a select, which shows its index even for a few rows. */
export async function queryPlan({ db, dialect }: Store, select: RawBuilder<unknown>): Promise<string> {
  if (dialect === 'sqlite') {
    const { rows } = await sql<{ detail: string }>`explain query plan ${select}`.execute(db)
    return rows.map(({ detail }) => detail).join('\n')
  }
  return db.transaction().execute(async transaction => {
    // Otherwise a scan of few rows is cheaper.
    await sql`set local enable_seqscan = off`.execute(transaction)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${select}`.execute(transaction)
    return rows.map(row => row['QUERY PLAN']).join('\n')
  })
}
