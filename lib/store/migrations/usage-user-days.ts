import type { Dialect } from '../database.ts'

const KEY = ['account_id', 'day', 'user_id', 'model']
const SUMS = ['requests', 'input_tokens', 'output_tokens', 'cache_read_tokens']

/**
 * `usage_user_days`: the totals of `usage_days` without keys, surfaces and endpoints: a tenth of the rows, which SQLite
 * would have to sort to group them. Triggers, which older versions run too, add every change of the days.
 * PostgreSQL has no such table, because its triggers could deadlock (docs/adr/0014-lists-skip-zones.md).
 */
export function usageUserDays(dialect: Dialect): string[] {
  if (dialect === 'postgres') return []
  return [
    `create table usage_user_days (
      account_id text not null,
      day integer not null,
      user_id text not null,
      model text not null,
      requests bigint not null,
      input_tokens bigint not null,
      output_tokens bigint not null,
      cache_read_tokens bigint not null,
      primary key (${KEY.join(', ')})) without rowid`,
    `create trigger usage_user_days_insert after insert on usage_days begin ${add(sum => `new.${sum}`)}; end`,
    `create trigger usage_user_days_update after update on usage_days
      begin ${add(sum => `new.${sum} - old.${sum}`)}; end`,
    `insert into usage_user_days
      select ${KEY.join(', ')}, ${SUMS.map(sum => `sum(${sum})`).join(', ')} from usage_days group by ${KEY.join(', ')}`,
  ]
}

/** Adds the increase of a row of the days. */
function add(moreOf: (sum: string) => string): string {
  const values = [...KEY.map(name => `new.${name}`), ...SUMS.map(moreOf)]
  const updates = SUMS.map(sum => `${sum} = usage_user_days.${sum} + excluded.${sum}`)
  return `insert into usage_user_days (${[...KEY, ...SUMS].join(', ')}) values (${values.join(', ')})
    on conflict (${KEY.join(', ')}) do update set ${updates.join(', ')}`
}
