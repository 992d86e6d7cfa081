import { type RawBuilder, sql } from 'kysely'
import type { Store } from '../../lib/store/store.ts'

/** How the database answers a select, in its own words: whether there is an index for it, however few rows there are. */
export async function queryPlan({ db, dialect }: Store, select: RawBuilder<unknown>): Promise<string> {
  if (dialect === 'sqlite') {
    const { rows } = await sql<{ detail: string }>`explain query plan ${select}`.execute(db)
    return rows.map(({ detail }) => detail).join('\n')
  }
  return db.transaction().execute(async transaction => {
    // Without it, a scan of so few rows is the cheaper plan.
    await sql`set local enable_seqscan = off`.execute(transaction)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${select}`.execute(transaction)
    return rows.map(row => row['QUERY PLAN']).join('\n')
  })
}
