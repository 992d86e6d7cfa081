import type { Dialect } from '../database.ts'

/** Alerts for operators, sent or not, so that each is sent once; and the lease of the process that sends. */
export function alerts(dialect: Dialect): string[] {
  return [
    `create table alerts (
      name text primary key,
      type text not null,
      webhook_id text not null,
      body text not null,
      created_at bigint not null,
      attempts integer not null,
      next_at bigint,
      expires_at bigint) ${dialect === 'postgres' ? '' : 'without rowid'}`,
    `create index alerts_next on alerts (next_at) where next_at is not null`,
    `create table alert_sender (id integer primary key, holder text not null, until bigint not null)`,
    `insert into alert_sender (id, holder, until) values (1, '', 0)`,
  ]
}
