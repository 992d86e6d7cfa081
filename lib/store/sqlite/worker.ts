/** The thread of a connection to the database file, so that no query blocks the event loop that serves streams. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { Insertion } from '../bulk.ts'
import type { SqlValue } from '../rows.ts'
import type { Job, JobResult, QueryOutcome, RecordLines, RowsText, ThreadOptions } from './thread.ts'

/** How long to wait for a lock of another process. */
const LOCK_MS = 5000
const PAUSE_MS = 20
const SQLITE_BUSY = 5

/** Queries of the console walk indexes of months. */
const READING_CACHE_KB = 16_000
/** With 500,000 rows in the file records are inserted as fast as with 16,000, and a tenth slower with 2000 to 4000. */
const WRITING_CACHE_KB = 8000

/** Prepared statements kept; beyond that, the oldest is dropped. */
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
  last = last.then(() => (job === null ? close() : answer(job)))
})

async function answer({ id, sql, parameters }: Job): Promise<void> {
  parentPort!.postMessage({ id, ...(await attempt(sql, parameters)) } satisfies JobResult)
}

/** Retries on SQLITE_BUSY, because this statement ignores the busy timeout when several processes open a new file. */
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
    return isRecordLines(first) ? await insertRecords(first) : run(prepare(sql), parameters)
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number }
    return { ok: false, message, errcode }
  }
}

/** What it takes is loaded with the first records: a reader has none, and a start does not wait for it. */
async function insertRecords({ recordLines }: RecordLines): Promise<QueryOutcome> {
  const { insertLines } = await import('./record-lines.ts')
  return { ok: true, rows: [insertLines(database, recordLines, insert)], changes: 0 }
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

function insert(sql: string, rows: Insertion['rows']): SqlValue[] {
  return runForEach(prepare(sql), rows)
}

/** Runs the statement once per row and returns the first value of the rows that changed something. */
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
