import type { Dialect } from '../database.ts'

/**
 * For operators: columns of requests, indexes by public id, account and the client's id, the note of a ledger entry.
 * `requests_broken`: streams that broke after status 200.
 * `backend_drains`: cordoned backends. `model` is '' for every model at the URL.
 */
export function diagnosis(dialect: Dialect): string[] {
  const tables = ['requests', 'request_errors']
  return [
    ...tables.flatMap(table => [
      // SQLite adds one column per statement.
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
