import { bulkInsert, type Insertions, insertRows } from './bulk.ts'
import { PERSONAL_MEMBERS, type RequestRecord } from './record.ts'
import { countRecords } from './rollups.ts'
import { publicIdOf, REQUEST_COLUMNS, type SqlValue, toRow } from './rows.ts'
import { addToZones } from './zones.ts'

const requests = bulkInsert('requests', REQUEST_COLUMNS, 'do nothing')
const errors = bulkInsert('request_errors', REQUEST_COLUMNS, 'do nothing')
const TAG_COLUMNS = { endpoint: 'text', tag: 'text', created_at: 'bigint', public_id: 'bigint' } as const
const tags = bulkInsert('request_tags', TAG_COLUMNS, 'do nothing')
const errorTags = bulkInsert('request_error_tags', TAG_COLUMNS, 'do nothing')

/** Statement for the ids of erased accounts. */
export const ERASED_ACCOUNTS = 'select id from accounts where erased_at is not null'

export interface Inserted {
  /** Number of records that were not in the store before. */
  readonly inserted: number
  /** Number of damaged lines. */
  readonly corrupt: number
}

/**
 * Inserts records and updates their totals; to be run in one transaction. Returns the number of new records.
 * Idempotent: a record whose id is in the store is neither changed nor counted again.
 * `erased`: ids of the erased accounts, read in the same transaction.
 */
export function* insertionOf(
  records: readonly RequestRecord[],
  erased: ReadonlySet<string | null>,
): Insertions<number> {
  // Sorted by id, so that two writers with the same records cannot deadlock.
  const kept = records.map(record => (erased.has(record.account_id) ? withoutPeople(record) : record))
  const byId = new Map(kept.map(record => [record.id, record]))
  const unique = [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  const fresh = yield* insertFresh(unique)
  if (fresh.length === 0) return 0
  yield* insertRows(tags, fresh.flatMap(tagRows))
  yield* insertRows(errorTags, fresh.filter(isError).flatMap(tagRows))
  yield* addToZones(fresh.filter(isInTable))
  yield* countRecords(fresh)
  return fresh.length
}

function withoutPeople(record: RequestRecord): RequestRecord {
  return { ...record, ...Object.fromEntries(PERSONAL_MEMBERS.map(name => [name, null])) }
}

/**
 * Inserts each record into at least one table: requests if its model was resolved, the error log if it is a 4xx or 5xx.
 * Returns the records that were in neither.
 */
function* insertFresh(records: readonly RequestRecord[]): Insertions<RequestRecord[]> {
  const rows = new Map(records.map(record => [record, toRow(record)]))
  const rowsOf = (chosen: readonly RequestRecord[]) => chosen.map(record => rows.get(record)!)
  const inserted = new Set<SqlValue>()
  for (const id of yield* insertRows(requests, rowsOf(records.filter(isInTable)))) inserted.add(id)
  for (const id of yield* insertRows(errors, rowsOf(records.filter(isError)))) inserted.add(id)
  return records.filter(record => inserted.has(record.id))
}

function isInTable(record: RequestRecord): boolean {
  return record.dispatched || !isError(record)
}

function isError(record: RequestRecord): boolean {
  return record.status_code >= 400
}

function tagRows({ endpoint, request_tags, created_at, id }: RequestRecord): SqlValue[][] {
  if (endpoint === null || request_tags === null) return []
  return request_tags.map(tag => [endpoint, tag, created_at, publicIdOf(id)])
}
