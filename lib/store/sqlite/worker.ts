/** The thread of a connection to the database file, so that no query blocks the event loop of the gateway. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { Insertion } from '../bulk.ts'
import type { Inserted } from '../record-rows.ts'
import type { SqlValue } from '../rows.ts'
import type { Job, JobResult, QueryOutcome, RecordLines, RowsText, ThreadOptions } from './thread.ts'

/** Time limit for a lock of another process. */
const LOCK_MS = 5000
const PAUSE_MS = 20
const SQLITE_BUSY = 5

/** Queries of the console scan indexes of several months. */
const READING_CACHE_KB = 16_000
/** At 500,000 rows, inserts are as fast as with 16,000 KB, and 10 % faster than with 2000 to 4000 KB. */
const WRITING_CACHE_KB = 8000

/** Maximum number of cached prepared statements. The oldest is dropped. */
const MAX_STATEMENTS = 200

const { path, readOnly = false } = workerData as ThreadOptions
const database = new DatabaseSync(path, { readOnly, timeout: LOCK_MS })
database.exec(`PRAGMA cache_size = -${readOnly ? READING_CACHE_KB : WRITING_CACHE_KB}`)
if (!readOnly) {
  useWriteAheadLog()
  database.exec('PRAGMA synchronous = NORMAL')
}
const statements = new Map<string, StatementSync>()

let last: Promise<void> = Promise.resolve()
parentPort!.on('message', (job: Job | null) => {
  last = last.then(() => (job === null ? close() : handle(job)))
})

async function handle({ id, sql, parameters }: Job): Promise<void> {
  parentPort!.postMessage({ id, ...(await attempt(sql, parameters)) } satisfies JobResult)
}

/** Retries on SQLITE_BUSY, because this statement ignores the busy timeout if several processes open a new file. */
function useWriteAheadLog(): void {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let left = LOCK_MS; ; left -= PAUSE_MS) {
    try {
      return database.exec('PRAGMA journal_mode = WAL')
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY || left <= 0) throw error
      Atomics.wait(pause, 0, 0, PAUSE_MS)
    }
  }
}

/** Closes the database, which moves the write-ahead log into the file. The thread ends when its port is closed. */
function close(): void {
  database.close()
  parentPort!.close()
}

async function attempt(sql: string, parameters: readonly unknown[]): Promise<QueryOutcome> {
  try {
    const [first] = parameters
    if (!isRecordLines(first)) return run(prepare(sql), parameters)
    return { ok: true, rows: [await insertRecords(first)], changes: 0 }
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number }
    return { ok: false, message, errcode }
  }
}

/** Inserts the records of lines in one transaction. Readers never need these modules, so they are loaded on demand. */
async function insertRecords({ recordLines: lines }: RecordLines): Promise<Inserted> {
  const { readLines } = await import('../journal-lines.ts')
  const { ERASED_ACCOUNTS, insertionOf } = await import('../record-rows.ts')
  const { records, corrupt } = readLines(Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength))
  database.exec('begin immediate')
  try {
    const erased = new Set(
      prepare(ERASED_ACCOUNTS)
        .all()
        .map(({ id }) => String(id)),
    )
    const work = insertionOf(records, erased)
    let step = work.next()
    while (!step.done) {
      const { insert, rows } = step.value
      step = work.next(runForEach(prepare(insert.sqlite), rows))
    }
    database.exec('commit')
    return { inserted: step.value, corrupt }
  } catch (error) {
    // After a full or failing disk, SQLite has already rolled back.
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

function run(statement: StatementSync, parameters: readonly unknown[]): QueryOutcome {
  const [first] = parameters
  if (isRowsText(first)) {
    const rows = JSON.parse(first.rowsText) as Insertion['rows']
    return { ok: true, rows: runForEach(statement, rows), changes: 0 }
  }
  const values = parameters.map(toSql)
  if (statement.columns().length > 0) return { ok: true, rows: statement.all(...values), changes: 0 }
  return { ok: true, rows: [], changes: Number(statement.run(...values).changes) }
}

function isRecordLines(parameter: unknown): parameter is RecordLines {
  return typeof parameter === 'object' && parameter !== null && 'recordLines' in parameter
}

function isRowsText(parameter: unknown): parameter is RowsText {
  return typeof parameter === 'object' && parameter !== null && 'rowsText' in parameter
}

/** Runs the statement once per row. Returns the first value of each row that changed the database. */
function runForEach(statement: StatementSync, rows: Insertion['rows']): SqlValue[] {
  const changed: SqlValue[] = []
  for (const row of rows) if (Number(statement.run(...row).changes) > 0) changed.push(row[0]!)
  return changed
}

function prepare(sql: string): StatementSync {
  let statement = statements.get(sql)
  if (statement === undefined) {
    statement = database.prepare(sql)
    if (statements.size >= MAX_STATEMENTS) statements.delete(statements.keys().next().value!)
    statements.set(sql, statement)
  }
  return statement
}

function toSql(value: unknown): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : ((value ?? null) as SQLInputValue)
}
