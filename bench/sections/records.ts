/** Request records: their cost on the request path, and the rate at which they are stored. */
import { fileURLToPath } from 'node:url'
import { type Bench, type Row, Samples } from '../bench.ts'
import { BUDGETS } from '../budgets.ts'
import { Helper } from '../helper.ts'
import { Pinned, TARGET_CORE } from '../processes.ts'
import type { RecordOptions, RecordResult } from '../records-worker.ts'

export async function records(bench: Bench): Promise<readonly Row[]> {
  const file = fileURLToPath(new URL('../records-worker.ts', import.meta.url))
  const worker = new Helper(new Pinned([file], { core: TARGET_CORE, ipc: true }))
  const count = bench.quick ? 10_000 : 40_000
  const append = new Samples()
  const sqlite = new Samples()
  const postgres = new Samples()
  const measure = (store: string | null) =>
    worker.ask<RecordResult>('measure', { dir: bench.site.dir, store, count } satisfies RecordOptions)
  const { DATABASE_URL } = process.env
  try {
    await measure(null)
    for (let round = 0; round < (bench.quick ? 1 : 4); round++) {
      const { appendUs, rowsPerSecond } = await measure(null)
      append.add('gateway', appendUs)
      sqlite.add('gateway', rowsPerSecond)
      if (DATABASE_URL !== undefined) postgres.add('gateway', (await measure(DATABASE_URL)).rowsPerSecond)
    }
  } finally {
    await worker.stop()
  }
  return [
    { what: 'a record into the journal', unit: 'µs', measured: append.measured },
    {
      what: 'records from the journal into SQLite',
      unit: '1/s',
      measured: sqlite.measured,
      budget: BUDGETS.intoSqlite,
    },
    ...(DATABASE_URL === undefined
      ? []
      : [{ what: 'records from the journal into PostgreSQL', unit: '1/s', measured: postgres.measured }]),
  ]
}
