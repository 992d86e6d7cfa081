/** Batches in the store: their rows, what processes look for in them, and their changes of state. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import { type Database, type Session, transact } from './database.ts'

export type BatchRow = Selectable<Database['batches']>
type NewBatchRow = Insertable<Database['batches']>

/** The states of batches that have not ended, and of those that can be cancelled. */
export const UNFINISHED = ['validating', 'in_progress', 'finalizing', 'cancelling']
const CANCELLABLE = ['validating', 'in_progress']

interface BatchLimits {
  /** Batches of the account that have not ended. */
  readonly batches: number
  /** Their lines that have not ended. */
  readonly lines: number
}

/** Stores a batch, unless the account has reached a limit, which is returned. `lines`: those of the batch, if known. */
export function createBatch(
  session: Session,
  row: NewBatchRow,
  limits: BatchLimits,
  lines = 1,
): Promise<keyof BatchLimits | undefined> {
  return transact(session, async own => {
    const { batches, queued } = await openOf(own, row.account_id)
    if (batches >= limits.batches) return 'batches'
    if (queued + lines > limits.lines) return 'lines'
    await own.db.insertInto('batches').values(row).execute()
    return undefined
  })
}

/** The account's batches that have not ended, without `except`, and their lines. */
async function openOf(
  { db }: Session,
  account: string,
  except = '',
): Promise<{ readonly batches: number; readonly queued: number }> {
  const rows = await db
    .selectFrom('batches')
    .select(['total', 'completed', 'failed'])
    .where('account_id', '=', account)
    .where('id', '<>', except)
    .where('status', 'in', UNFINISHED)
    .execute()
  return { batches: rows.length, queued: rows.reduce((sum, row) => sum + row.total - row.completed - row.failed, 0) }
}

export function findBatch({ db }: Session, owner: string, api: string, id: string): Promise<BatchRow | undefined> {
  return db
    .selectFrom('batches')
    .selectAll()
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('api', '=', api)
    .executeTakeFirst()
}

interface ListPage {
  readonly api: string
  readonly after?: string | undefined
  readonly before?: string | undefined
  readonly limit: number
}

/** Newest first, with one more than the limit if there is one. */
export async function listBatches({ db }: Session, owner: string, page: ListPage): Promise<BatchRow[]> {
  const { api, after, before, limit } = page
  const rows = await db
    .selectFrom('batches')
    .selectAll()
    .where('owner', '=', owner)
    .where('api', '=', api)
    .$if(after !== undefined, query => query.where('id', '<', after!))
    .$if(before !== undefined, query => query.where('id', '>', before!))
    .orderBy('id', before === undefined ? 'desc' : 'asc')
    .limit(limit + 1)
    .execute()
  return rows
}

/** A batch that processes have to do something for: it has not ended, or its folder is left. */
export interface OpenBatch extends BatchRow {
  /** Tokens that lines of the account have received. */
  readonly served: number
}

export async function openBatches({ db }: Session): Promise<OpenBatch[]> {
  const rows = await db
    .selectFrom('batches')
    .leftJoin('batch_accounts', 'batch_accounts.account_id', 'batches.account_id')
    .selectAll('batches')
    .select('batch_accounts.served as served')
    .where('cleared', '=', 0)
    .orderBy('id')
    .execute()
  return rows.map(row => ({ ...row, served: row.served ?? 0 }))
}

/** The input files of batches that have not ended. */
export async function inputFiles({ db }: Session): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('batches').select('input_file_id').where('status', 'in', UNFINISHED).execute()
  return new Set(rows.map(row => row.input_file_id))
}

interface Expected {
  readonly status: readonly string[]
  /** null: no process. undefined: whichever. */
  readonly holder?: string | null
}

/** Changes a batch that is in one of these states. False: it is not. */
export async function changeBatch(
  { db }: Session,
  id: string,
  expected: Expected,
  change: Updateable<Database['batches']>,
): Promise<boolean> {
  const { holder } = expected
  const { numUpdatedRows } = await db
    .updateTable('batches')
    .set(change)
    .where('id', '=', id)
    .where('status', 'in', expected.status)
    .$if(holder === null, query => query.where('holder', 'is', null))
    .$if(typeof holder === 'string', query => query.where('holder', '=', holder!))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Begins to cancel a batch. A batch whose lines have all ended is not changed. `now`: milliseconds. */
export function cancelBatch(session: Session, id: string, now: number): Promise<boolean> {
  const change = { status: 'cancelling', cancelling_at: now }
  return changeBatch(session, id, { status: CANCELLABLE }, change)
}

/** Begins to cancel the batches of an owner that read this file. False: there are none. `now`: milliseconds. */
export async function cancelReaders({ db }: Session, owner: string, file: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('batches')
    .set({ status: 'cancelling', cancelling_at: now })
    .where('owner', '=', owner)
    .where('input_file_id', '=', file)
    .where('status', 'in', CANCELLABLE)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

interface Validated {
  readonly id: string
  readonly account: string
  readonly holder: string
  readonly total: number
  readonly model: string | null
  readonly models: readonly string[]
}

/**
 * Starts a batch whose lines are stored. Its account is then no further behind in served tokens than the last of the
 * accounts that have lines. `lines`: the account has more lines than this. `gone`: it is not validated by `holder`.
 */
export function startBatch(
  session: Session,
  batch: Validated,
  limit: number,
  now: number,
): Promise<'started' | 'lines' | 'gone'> {
  const { id, account, holder, total, model, models } = batch
  return transact(session, async own => {
    const { queued } = await openOf(own, account, id)
    if (queued + total > limit) return 'lines'
    const change = { status: 'in_progress', in_progress_at: now, total, model, models: JSON.stringify(models) }
    const expected = { status: ['validating'], holder }
    if (!(await changeBatch(own, id, expected, { ...change, holder: null }))) return 'gone'
    await levelAccount(own, account)
    return 'started'
  })
}

async function levelAccount({ db }: Session, account: string): Promise<void> {
  const others = await db
    .selectFrom('batch_accounts')
    .select(({ fn }) => fn.min('served').as('served'))
    .where('account_id', '<>', account)
    .where('account_id', 'in', db.selectFrom('batches').select('account_id').where('status', '=', 'in_progress'))
    .executeTakeFirst()
  const served = others?.served ?? 0
  await db
    .insertInto('batch_accounts')
    .values({ account_id: account, served })
    .onConflict(conflict =>
      conflict.column('account_id').doUpdateSet({ served }).where('batch_accounts.served', '<', served),
    )
    .execute()
}

/** Lines per statement that deletes them. A transaction blocks other writers of SQLite. */
const DELETED = 5000

/** Removes the lines of a batch that have not ended. */
export async function removeLines({ db }: Session, batch: string): Promise<void> {
  for (;;) {
    const { numDeletedRows } = await db
      .deleteFrom('batch_lines')
      .where('batch_id', '=', batch)
      .where('line', 'in', eb =>
        eb.selectFrom('batch_lines').select('line').where('batch_id', '=', batch).orderBy('line').limit(DELETED),
      )
      .executeTakeFirst()
    if (numDeletedRows < BigInt(DELETED)) return
  }
}

export async function removeBatch({ db }: Session, id: string): Promise<void> {
  await db.deleteFrom('batches').where('id', '=', id).execute()
}

// ------------------------------------------------------------ paused models

/** Sends no lines of the model until resumeModel(). `now`: milliseconds since the epoch. */
export async function pauseModel({ db }: Session, model: string, now: number): Promise<void> {
  await db
    .insertInto('batch_pauses')
    .values({ model, paused_at: now })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** False: the model was not paused. */
export async function resumeModel({ db }: Session, model: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('batch_pauses').where('model', '=', model).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function pausedModels({ db }: Session): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('batch_pauses').select('model').execute()
  return new Set(rows.map(({ model }) => model))
}
