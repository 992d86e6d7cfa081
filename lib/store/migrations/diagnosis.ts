import type { Dialect } from '../database.ts'

/**
 * What operators need to find out about requests and backends:
 * - columns of `requests` and `request_errors`, and indexes by public id, by account and by the client's own id. The public id
 *   was indexed for dedicated endpoints alone. `requests_broken` finds streams that broke after status 200;
 * - `backend_drains`: backends that take no new requests. `model` is '' for every model at the URL;
 * - the reason of an entry of the ledger.
 */
export function diagnosis(dialect: Dialect): string[] {
  const tables = ['requests', 'request_errors']
  return [
    ...tables.flatMap(table => [
      // SQLite adds one column a statement.
      ...COLUMNS.map(column => `alter table ${table} add column ${column}`),
      `drop index ${table}_public_id`,
      `create index ${table}_public_id on ${table} (public_id)`,
      `create index ${table}_account on ${table} (account_id, id)`,
      `create index ${table}_client on ${table} (client_request_id) where client_request_id is not null`,
    ]),
    `create index requests_broken on requests (created_at) where stream_error_type is not null`,
    `create table backend_drains (
      url text not null,
      model text not null,
      drained_at bigint not null,
      primary key (url, model)) ${dialect === 'postgres' ? '' : 'without rowid'}`,
    `alter table credits_ledger add column note text`,
  ]
}

const COLUMNS = [
  'backend text',
  'attempts integer',
  'queue_ms integer',
  'first_byte_ms integer',
  'upstream_status integer',
  'upstream_error text',
  'client_request_id text',
]
