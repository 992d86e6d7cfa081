/** Every record of a gateway, in the journal or in the store. Its writer moves them twice per second. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { readLines } from '../../lib/store/journal-lines.ts'
import { MEMBER_NAMES, MEMBERS, type RequestRecord } from '../../lib/store/record.ts'

/**
 * The records of a gateway with `journal` and `store.db` in this folder, oldest first. The journal is read before the
 * store, because a record leaves the journal only when it is in the store.
 */
export function recordsIn(dir: string): readonly RequestRecord[] {
  const records = [...inJournal(join(dir, 'journal')), ...inStore(join(dir, 'store.db'))]
  const unique = new Map(records.map(record => [record.id, record]))
  return [...unique.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

function inJournal(directory: string): readonly RequestRecord[] {
  const segments = readdirSync(directory).filter(name => name.endsWith('.log'))
  return segments.flatMap(name => readLines(readFileSync(join(directory, name))).records)
}

function inStore(path: string): readonly RequestRecord[] {
  if (!existsSync(path)) return []
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  try {
    // There is no store before the gateway has created it.
    const tables = database.prepare(`select name from sqlite_schema where name in ('requests', 'request_errors')`).all()
    return tables.flatMap(({ name }) => database.prepare(`select * from ${name}`).all()).map(toRecord)
  } finally {
    database.close()
  }
}

function toRecord(row: Record<string, SQLOutputValue>): RequestRecord {
  const members = MEMBER_NAMES.map(name => [name, memberOf(MEMBERS[name], row[name]!)])
  return Object.fromEntries(members) as RequestRecord
}

function memberOf(kind: (typeof MEMBERS)[keyof typeof MEMBERS], value: SQLOutputValue) {
  if (kind === 'boolean') return value === 1
  return kind === 'tags' && typeof value === 'string' ? value.split(',') : value
}
