/** Lines of batches that have not ended: which process runs which, and their end. */
import { sql } from 'kysely'
import { bulkInsert, insertRows } from './bulk.ts'
import { type Session, transact } from './database.ts'
import { runInsertions } from './insertions.ts'

/** A line of a batch, without its content. */
export interface BatchLineRow {
  readonly batch_id: string
  readonly line: number
  readonly position: number
  readonly length: number
  readonly model: string
  readonly prefix: string
  readonly attempts: number
}

const INSERT = bulkInsert(
  'batch_lines',
  {
    batch_id: 'text',
    line: 'integer',
    position: 'bigint',
    length: 'bigint',
    model: 'text',
    prefix: 'text',
  },
  'do nothing',
)

type NewLine = Omit<BatchLineRow, 'batch_id' | 'attempts'>

/** Adds lines of a batch that `holder` validates. False: it does not validate the batch any more. */
export function addLines(session: Session, batch: string, holder: string, lines: readonly NewLine[]): Promise<boolean> {
  return transact(session, async own => {
    const validating = own.db
      .selectFrom('batches')
      .select('id')
      .where('id', '=', batch)
      .where('status', '=', 'validating')
      .where('holder', '=', holder)
    if ((await validating.execute()).length === 0) return false
    const rows = lines.map(one => [batch, one.line, one.position, one.length, one.model, one.prefix])
    await runInsertions(own, insertRows(INSERT, rows))
    return true
  })
}

interface Claim {
  readonly batch: string
  readonly model: string
  readonly holder: string
  readonly limit: number
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Claims lines of a batch that runs, by prefix. Empty: no line is free. */
export function claimLines(session: Session, claim: Claim): Promise<readonly BatchLineRow[]> {
  const { batch, model, holder, limit, now } = claim
  return transact(session, async ({ db, dialect }) => {
    const runs = await db
      .selectFrom('batches')
      .select('id')
      .where('id', '=', batch)
      .where('status', '=', 'in_progress')
      .where('expires_at', '>', now)
      // The state must not change before the lines are claimed.
      .$if(dialect === 'postgres', query => query.forShare())
      .execute()
    if (runs.length === 0) return []
    // Only of the index: many lines may wait for their next try.
    const free = await db
      .selectFrom('batch_lines')
      .select('line')
      .where('batch_id', '=', batch)
      .where('model', '=', model)
      .where('holder', 'is', null)
      .where('not_before', '<=', now)
      .orderBy('prefix')
      .orderBy('line')
      .limit(limit)
      .$if(dialect === 'postgres', query => query.forUpdate().skipLocked())
      .execute()
    if (free.length === 0) return []
    const lines = free.map(({ line }) => line)
    const rows = await db
      .updateTable('batch_lines')
      .set({ holder })
      .where('batch_id', '=', batch)
      .where('line', 'in', lines)
      .returning(['batch_id', 'line', 'position', 'length', 'model', 'prefix', 'attempts'])
      .execute()
    const byLine = new Map(rows.map(row => [row.line, row]))
    return lines.map(line => byLine.get(line)!)
  })
}

interface Release {
  readonly batch: string
  readonly line: number
  readonly attempts: number
  /** Time of the next try, in milliseconds since the epoch. */
  readonly notBefore: number
}

/** Gives lines back. */
export async function releaseLines(session: Session, holder: string, lines: readonly Release[]): Promise<void> {
  if (lines.length === 0) return
  await transact(session, async ({ db }) => {
    for (const { batch, line, attempts, notBefore } of lines) {
      await db
        .updateTable('batch_lines')
        .set({ holder: null, attempts, not_before: notBefore })
        .where('batch_id', '=', batch)
        .where('line', '=', line)
        .where('holder', '=', holder)
        .execute()
    }
  })
}

/** A line that has ended. */
export interface EndedLine {
  readonly batch: string
  readonly line: number
  readonly hasFailed: boolean
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
}

/** Removes lines of `holder` that have ended, and counts them in their batches, once; to be run in a transaction. */
export async function endLines({ db }: Session, holder: string, ended: readonly EndedLine[]): Promise<void> {
  for (const [batch, all] of Map.groupBy(ended, one => one.batch)) {
    const deleted = await db
      .deleteFrom('batch_lines')
      .where('batch_id', '=', batch)
      .where('holder', '=', holder)
      .where(
        'line',
        'in',
        all.map(({ line }) => line),
      )
      .returning('line')
      .execute()
    const numbers = new Set(deleted.map(({ line }) => line))
    const lines = all.filter(({ line }) => numbers.has(line))
    if (lines.length === 0) continue
    const failed = lines.filter(one => one.hasFailed).length
    const sum = (member: 'inputTokens' | 'cachedTokens' | 'outputTokens' | 'reasoningTokens') =>
      lines.reduce((total, line) => total + line[member], 0)
    await db
      .updateTable('batches')
      .set(eb => ({
        completed: eb('completed', '+', lines.length - failed),
        failed: eb('failed', '+', failed),
        input_tokens: eb('input_tokens', '+', sum('inputTokens')),
        cached_tokens: eb('cached_tokens', '+', sum('cachedTokens')),
        output_tokens: eb('output_tokens', '+', sum('outputTokens')),
        reasoning_tokens: eb('reasoning_tokens', '+', sum('reasoningTokens')),
      }))
      .where('id', '=', batch)
      .execute()
    await db
      .updateTable('batch_accounts')
      .set(eb => ({ served: eb('served', '+', sum('inputTokens') + sum('outputTokens')) }))
      .where('account_id', '=', eb => eb.selectFrom('batches').select('account_id').where('id', '=', batch))
      .execute()
  }
}

/** Whether a process runs a line of the batch. */
export async function hasHeldLines({ db }: Session, batch: string): Promise<boolean> {
  const held = db.selectFrom('batch_lines').select('line').where('batch_id', '=', batch).where('holder', 'is not', null)
  return (await held.limit(1).execute()).length > 0
}

/** The lines that a process holds, as `BATCH LINE`. */
export async function heldLines({ db }: Session, holder: string): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('batch_lines').select(['batch_id', 'line']).where('holder', '=', holder).execute()
  return new Set(rows.map(row => `${row.batch_id} ${row.line}`))
}

/** Lines of the batch behind this one, in order. */
export function linesAfter({ db }: Session, batch: string, after: number, limit: number): Promise<BatchLineRow[]> {
  return db
    .selectFrom('batch_lines')
    .select(['batch_id', 'line', 'position', 'length', 'model', 'prefix', 'attempts'])
    .where('batch_id', '=', batch)
    .where('line', '>', after)
    .orderBy('line')
    .limit(limit)
    .execute()
}

/** Lines of the batch that have not ended, by model. */
export async function leftLines({ db }: Session, batch: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('batch_lines')
    .select(({ fn }) => ['model', fn.countAll<number>().as('lines')])
    .where('batch_id', '=', batch)
    .groupBy('model')
    .execute()
  return new Map(rows.map(({ model, lines }) => [model, Number(lines)]))
}

/**
 * Lines of batches that run and that no process has claimed, by model. Counts rows only where lines of a batch name
 * several models: a million rows take a tenth of a second, in which other readers of SQLite wait.
 */
export async function queuedLines({ db }: Session): Promise<ReadonlyMap<string, number>> {
  const running = sql`cleared = 0 and status = 'in_progress'`
  const { rows } = await sql<{ model: string; lines: number }>`
    select model, sum(lines) as lines from (
      select model, total - completed - failed as lines from batches where ${running} and model is not null
      union all
      select model, -count(*) from batch_lines where holder is not null
        and batch_id in (select id from batches where ${running} and model is not null) group by batch_id, model
      union all
      select model, count(*) from batch_lines where holder is null
        and batch_id in (select id from batches where ${running} and model is null) group by batch_id, model
    ) as counted group by model having sum(lines) > 0`.execute(db)
  return new Map(rows.map(({ model, lines }) => [model, Number(lines)]))
}
