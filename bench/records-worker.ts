/** Measures records outside of the request path, in a process of its own: the journal, and the writer to a store. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { Journal } from '../lib/records/journal.ts'
import { RecordWriter } from '../lib/records/writer.ts'
import { openStore } from '../lib/store/store.ts'
import { makeRecord } from '../test/support/record.ts'
import { serveCalls } from './helper.ts'

export interface RecordOptions {
  readonly dir: string
  /** `postgres://…`; null: SQLite in `dir`. */
  readonly store: string | null
  readonly count: number
}

export interface RecordResult {
  /** Wall time of one append, in microseconds. */
  readonly appendUs: number
  readonly rowsPerSecond: number
}

async function measure({ dir, store: url, count }: RecordOptions): Promise<RecordResult> {
  const log = pino({ level: 'silent' })
  const home = mkdtempSync(join(dir, 'records-'))
  const journal = new Journal({ directory: join(home, 'journal'), log })
  const store = await openStore(url ?? `sqlite:${join(home, 'store.db')}`, { log })
  try {
    const records = Array.from({ length: count }, () => makeRecord())
    const appending = performance.now()
    for (const record of records) journal.append(record)
    const appendUs = ((performance.now() - appending) * 1000) / count
    const moving = performance.now()
    const writer = new RecordWriter({ journal, store, log })
    await writer.close(120_000)
    const rowsPerSecond = (writer.inserted * 1000) / (performance.now() - moving)
    if (writer.inserted !== count) throw new Error(`${writer.inserted} of ${count} records were stored`)
    return { appendUs, rowsPerSecond }
  } finally {
    await journal.close()
    await store.close()
    rmSync(home, { recursive: true, force: true })
  }
}

serveCalls({ measure })
