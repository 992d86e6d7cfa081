/** A desk for operations of operators: a store in memory and a configuration with one account. */
import { sql } from 'kysely'
import type { AdminContext } from '../../lib/admin/context.ts'
import { listAudit } from '../../lib/store/audit.ts'
import { openStore, type Store } from '../../lib/store/store.ts'
import { ACCOUNT_ID, configOf } from './config.ts'
import { emptyTables, silent } from './stores.ts'

export const adminConfig = `
models:
  - id: m
    aliases: [latest]
    backends: [{ url: http://127.0.0.1:8000/v1 }]
  - id: other
    backends: [{ url: http://127.0.0.1:8001/v1 }]
endpoints: [{ host: acme.test, models: [m] }]
plans: { small: { concurrency: 1 } }
accounts:
  - id: ${ACCOUNT_ID}
    name: acme
    members: [{ user: alice, role: owner }]
    keys: [{ id: k1, user: alice, kind: serverless, secret: service_in_the_file }]
`

/** Contexts for the tests of a describe. Each test begins with empty tables and an empty audit log. */
export function useAdminContext(): { context(): AdminContext; audit(): Promise<string[]> } {
  let store: Store
  let now = 1_800_000_000_000_000
  // One thread and one migration for all tests. The trigger would prevent deleting the log between them.
  before(async () => {
    store = await openStore('sqlite::memory:', { log: silent })
    await sql`drop trigger audit_log_no_delete`.execute(store.db)
  })
  beforeEach(async () => {
    await emptyTables(store)
    await store.db.deleteFrom('audit_log').execute()
  })
  after(() => store.close())
  return {
    context() {
      now += 1_000_000
      return {
        store,
        config: configOf(adminConfig),
        actor: { name: 'operator alice (op_1)', address: '127.0.0.1' },
        now,
      }
    },
    /** Actions, newest first. */
    audit: async () => (await listAudit(store, {}, undefined, 100)).entries.map(({ action }) => String(action)),
  }
}

/** Status, code and message of the refusal. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'not refused',
    error => `${error.status} ${error.code} ${error.message}`,
  )
}
