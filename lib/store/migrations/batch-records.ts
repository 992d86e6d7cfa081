import type { Dialect } from '../database.ts'

const USER_KEY = ['account_id', 'day', 'user_id', 'model', 'batch']
const SUMS = ['requests', 'input_tokens', 'output_tokens', 'cache_read_tokens', 'units']

/**
 * The batch and the line of a request, and totals that keep lines of batches (1) apart from other requests (0).
 * The surface, which is in the key of hours and days, says which they are. So the column follows from it, also in what
 * an older process writes. `usage_user_days` has no surface: triggers alone write it, so its key can change.
 */
export function batchRecords(dialect: Dialect): string[] {
  const kept = dialect === 'postgres' ? 'stored' : 'virtual'
  return [
    ...['requests', 'request_errors'].flatMap(table => [
      `alter table ${table} add column batch_id text`,
      `alter table ${table} add column batch_line integer`,
      `create index ${table}_batch on ${table} (batch_id, id) where batch_id is not null`,
    ]),
    ...['usage_hours', 'usage_days'].map(
      table =>
        `alter table ${table} add column batch integer
          generated always as (case when surface = 'batch' then 1 else 0 end) ${kept}`,
    ),
    ...(dialect === 'postgres' ? [] : userDays()),
  ]
}

function userDays(): string[] {
  const columns = [...USER_KEY, ...SUMS].join(', ')
  return [
    'drop trigger usage_user_days_insert',
    'drop trigger usage_user_days_update',
    'alter table usage_user_days rename to usage_user_days_before',
    `create table usage_user_days (
      account_id text not null,
      day integer not null,
      user_id text not null,
      model text not null,
      batch integer not null,
      requests bigint not null,
      input_tokens bigint not null,
      output_tokens bigint not null,
      cache_read_tokens bigint not null,
      units bigint not null,
      primary key (${USER_KEY.join(', ')})) without rowid`,
    `insert into usage_user_days (${columns}) select ${columns.replace(' batch,', ' 0,')} from usage_user_days_before`,
    'drop table usage_user_days_before',
    `create trigger usage_user_days_insert after insert on usage_days begin ${add(sum => `new.${sum}`)}; end`,
    `create trigger usage_user_days_update after update on usage_days
      begin ${add(sum => `new.${sum} - old.${sum}`)}; end`,
  ]
}

/** Adds the increase of a row of the days. */
function add(moreOf: (sum: string) => string): string {
  const key = USER_KEY.map(name => (name === 'batch' ? `new.surface = 'batch'` : `new.${name}`))
  const updates = SUMS.map(sum => `${sum} = usage_user_days.${sum} + excluded.${sum}`)
  return `insert into usage_user_days (${[...USER_KEY, ...SUMS].join(', ')})
    values (${[...key, ...SUMS.map(moreOf)].join(', ')})
    on conflict (${USER_KEY.join(', ')}) do update set ${updates.join(', ')}`
}
