import type { Dialect } from '../database.ts'

/**
 * `exports`: streams of lines to other systems, and the lease of the process that sends each. `export_queue`: what has
 * not been sent. Triggers, which older versions run too, add what is committed while the stream has a row in `exports`.
 * A queue has no gaps, while a cursor would skip records that are committed later than younger ones.
 */
export function exports(dialect: Dialect): string[] {
  const keyed = dialect === 'postgres' ? '' : 'without rowid'
  return [
    `create table exports (name text primary key, holder text not null, until bigint not null)`,
    `create table export_queue (
      name text not null,
      id text not null,
      created_at bigint not null,
      primary key (name, id)) ${keyed}`,
    ...(dialect === 'postgres' ? POSTGRES : SQLITE),
  ]
}

const SOURCES = [
  ['requests', 'records'],
  ['request_errors', 'records'],
  ['audit_log', 'audit'],
] as const

const SQLITE = SOURCES.map(
  ([table, name]) => `create trigger export_${table} after insert on ${table}
    when exists (select 1 from exports where name = '${name}')
    begin
      insert into export_queue (name, id, created_at) values ('${name}', new.id, new.created_at) on conflict do nothing;
    end`,
)

/** One call per statement, which inserts hundreds of records. */
const POSTGRES = [
  `create function export_add() returns trigger language plpgsql as $$
    begin
      if exists (select 1 from exports where name = tg_argv[0]) then
        insert into export_queue (name, id, created_at)
          select tg_argv[0], id::text, created_at from fresh order by 2 on conflict do nothing;
      end if;
      return null;
    end $$`,
  ...SOURCES.map(
    ([table, name]) => `create trigger export_${table} after insert on ${table}
      referencing new table as fresh for each statement execute function export_add('${name}')`,
  ),
]
