import type { Dialect } from '../database.ts'

/**
 * The operators' API: keys of operators, the append-only audit log, disabled accounts, and attributes of keys.
 * `models`: ids joined by commas, null for those of the account.
 * `previous_sha256`: the secret before a rotation, valid until `previous_until`.
 */
export function operators(dialect: Dialect): string[] {
  const postgres = dialect === 'postgres'
  const flag = postgres ? 'boolean not null default false' : 'integer not null default 0'
  return [
    `create table operator_keys (
      id text primary key,
      name text not null,
      sha256 text not null unique,
      created_at bigint not null,
      revoked_at bigint)`,
    `create table audit_log (
      id text primary key,
      created_at bigint not null,
      actor text not null,
      address text,
      action text not null,
      target text not null,
      account_id text,
      before_change text,
      after_change text)`,
    `create index audit_log_account on audit_log (account_id, id)`,
    ...(postgres ? APPEND_ONLY_POSTGRES : APPEND_ONLY_SQLITE),
    `alter table accounts add column disabled ${flag}`,
    ...KEY_COLUMNS.map(column => `alter table keys add column ${column}`),
    `alter table keys add column disabled ${flag}`,
    `create unique index keys_previous on keys (previous_sha256) where previous_sha256 is not null`,
    // For the usage of all accounts together.
    `create index usage_hours_hour on usage_hours (hour)`,
    `create index credits_ledger_page on credits_ledger (account_id, created_at, request_id)`,
  ]
}

const KEY_COLUMNS = [
  'label text',
  'expires_at bigint',
  'models text',
  'last_used_at bigint',
  'previous_sha256 text',
  'previous_until bigint',
]

const APPEND_ONLY_SQLITE = ['update', 'delete'].map(
  change => `create trigger audit_log_no_${change} before ${change} on audit_log
    begin select raise(abort, 'the audit log is append only'); end`,
)

const APPEND_ONLY_POSTGRES = [
  `create function audit_log_refuse() returns trigger language plpgsql as $$
    begin raise exception 'the audit log is append only'; end $$`,
  `create trigger audit_log_append_only before update or delete or truncate on audit_log
    for each statement execute function audit_log_refuse()`,
]
