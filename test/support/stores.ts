/** Runs a suite on every kind of store. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { openStore, type Store } from '../../lib/store/store.ts'
import { isFastRun, usePostgres } from './services.ts'

export const silent = pino({ level: 'silent' })

/**
 * Declares the tests once for each store, in the fast tests only for SQLite. `store()`: the open store, with empty
 * tables at the start of each test.
 */
export function onEveryStore(suite: (store: () => Store) => void): void {
  describe('SQLite', () => {
    let dir = ''
    before(() => {
      dir = mkdtempSync(join(tmpdir(), 'store-'))
    })
    after(() => rmSync(dir, { recursive: true, force: true }))
    suite(useStore(() => `sqlite:${join(dir, 'store.db')}`))
  })
  if (isFastRun) return
  describe('PostgreSQL', () => {
    suite(useStore(usePostgres()))
  })
}

/** Declares the tests for a new store of each kind. `storeOf`: its URL; SQLite is in this directory. */
export function onEveryNewStore(suite: (storeOf: (dir: string) => string) => void): void {
  describe('SQLite', () => suite(dir => `sqlite:${join(dir, 'store.db')}`))
  describe('PostgreSQL', () => {
    const url = usePostgres()
    suite(() => url())
  })
}

/** All tables but the audit log, from which nothing can be deleted. */
const TABLES = [
  'requests',
  'request_errors',
  'request_tags',
  'request_error_tags',
  'request_zones',
  'usage_hours',
  'usage_days',
  'endpoint_minutes',
  'accounts',
  'members',
  'keys',
  'credits_ledger',
  'credit_balances',
  'console_sessions',
  'backend_drains',
  'stored_models',
  'gateways',
  'backend_minutes',
  'backend_hours',
  'backend_events',
  'operator_keys',
  'alerts',
  'customer_alerts',
  'customer_alert_events',
  'exports',
  'export_queue',
  'batches',
  'batch_lines',
  'batch_workers',
  'batch_accounts',
  'batch_pauses',
] as const

function useStore(url: () => string): () => Store {
  let store: Store | undefined
  before(async () => {
    store = await openStore(url(), { log: silent })
    // A PostgreSQL that is slow to answer at the start prevents no start, and has no tables then.
    await store.prepare()
  })
  beforeEach(() => emptyTables(store!))
  after(() => store?.close())
  return () => store!
}

export async function emptyTables({ db, dialect }: Store): Promise<void> {
  for (const table of TABLES) await sql`delete from ${sql.table(table)}`.execute(db)
  if (dialect === 'sqlite') await sql`delete from usage_user_days`.execute(db)
  await sql`update record_horizon set complete_from = 0`.execute(db)
}
