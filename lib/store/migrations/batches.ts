import type { Dialect } from '../database.ts'

/**
 * `batches`: their states. `batch_lines`: lines that have not ended, without content. `batch_workers`: processes that
 * run lines, with their leases. `batch_accounts`: tokens that lines of an account have received. `batch_pauses`: models
 * whose lines are paused.
 */
export function batches(dialect: Dialect): string[] {
  const keyed = dialect === 'postgres' ? '' : 'without rowid'
  const counts = ['total', 'completed', 'failed', 'cancelled', 'expired']
  const tokens = ['input_tokens', 'cached_tokens', 'output_tokens', 'reasoning_tokens']
  const times = ['in_progress', 'finalizing', 'completed', 'failed', 'expired', 'cancelling', 'cancelled']
  return [
    `create table batches (
      id text primary key,
      api text not null,
      owner text not null,
      account_id text not null,
      user_id text not null,
      key_id text not null,
      key_rights text not null,
      endpoint text not null,
      completion_window text not null,
      metadata text,
      output_seconds bigint,
      status text not null,
      model text,
      models text,
      input_file_id text not null,
      output_file_id text,
      error_file_id text,
      created_at bigint not null,
      expires_at bigint not null,
      ${times.map(name => `${name}_at bigint`).join(', ')},
      ${[...counts, ...tokens].map(name => `${name} bigint not null default 0`).join(', ')},
      problems text,
      holder text,
      parts text,
      cleared integer not null default 0)`,
    `create index batches_owner on batches (owner, api, id)`,
    `create index batches_account on batches (account_id)`,
    `create index batches_open on batches (id) where cleared = 0`,
    `create table batch_lines (
      batch_id text not null,
      line integer not null,
      position bigint not null,
      length bigint not null,
      model text not null,
      prefix text not null,
      attempts integer not null default 0,
      not_before bigint not null default 0,
      holder text,
      primary key (batch_id, line)) ${keyed}`,
    `create index batch_lines_free on batch_lines (batch_id, model, prefix, line) where holder is null`,
    `create index batch_lines_held on batch_lines (holder, batch_id) where holder is not null`,
    `create table batch_workers (id text primary key, until bigint not null, heir text)`,
    `create table batch_accounts (account_id text primary key, served bigint not null)`,
    `create table batch_pauses (model text primary key, paused_at bigint not null)`,
  ]
}
