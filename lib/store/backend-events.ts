/** What has happened to backends, and reloads: marks on the history of backends. */
import { bulkInsert, insertRows } from './bulk.ts'
import { type Session, transact } from './database.ts'
import type { BackendEvent } from './history-columns.ts'
import { runInsertions } from './insertions.ts'
import type { ColumnTypes } from './rows.ts'

const MINUTE = 60_000_000

const COLUMNS: ColumnTypes = {
  minute: 'integer',
  kind: 'text',
  model: 'text',
  backend: 'text',
  reason: 'text',
  at: 'bigint',
  reports: 'integer',
}

// The events of several processes in a minute are one row, at the time of the first report.
const insertEvent = bulkInsert(
  'backend_events',
  COLUMNS,
  '(minute, kind, model, backend, reason) do update set reports = backend_events.reports + 1',
)

export async function addBackendEvents(session: Session, events: readonly BackendEvent[]): Promise<void> {
  const rows = events
    .map(({ kind, model, backend, reason, at }) => [Math.floor(at / MINUTE), kind, model, backend, reason, at, 1])
    // Sorted by key, so that processes cannot deadlock, and without repetitions, which PostgreSQL refuses.
    .map(row => [JSON.stringify(row.slice(0, 5)), row] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .filter(([key], at, all) => key !== all[at - 1]?.[0])
    .map(([, row]) => row)
  await transact(session, async transaction => {
    await runInsertions(transaction, insertRows(insertEvent, rows))
  })
}

interface EventFilter {
  /** undefined: all models. */
  readonly model: string | undefined
  /** undefined: all backends of the model. */
  readonly backend: string | undefined
  /** Microseconds since the epoch, as `to`, which is exclusive. */
  readonly from: number
  readonly to: number
  readonly limit: number
}

/** Events of a backend, a model or all models, and reloads; newest first. */
export function listBackendEvents({ db }: Session, filter: EventFilter): Promise<BackendEvent[]> {
  const { model, backend, from, to, limit } = filter
  return db
    .selectFrom('backend_events')
    .select(['kind', 'model', 'backend', 'reason', 'at'])
    .where('minute', '>=', Math.floor(from / MINUTE))
    .where('minute', '<', Math.ceil(to / MINUTE))
    .$if(model !== undefined, query => query.where('model', 'in', ['', model!]))
    .$if(backend !== undefined, query => query.where('backend', 'in', ['', backend!]))
    .orderBy('at', 'desc')
    .limit(limit)
    .execute() as Promise<BackendEvent[]>
}
