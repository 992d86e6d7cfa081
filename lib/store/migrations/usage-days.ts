import type { Dialect } from '../database.ts'

const KEY = ['account_id', 'day', 'user_id', 'key_id', 'surface', 'endpoint', 'model']
const SUMS = ['requests', 'input_tokens', 'output_tokens', 'cache_read_tokens']

/**
 * `usage_days`: the totals of `usage_hours` by day. A month of a large account has a thirtieth of the rows.
 * Triggers, which older versions of the gateway run too, add every change of the hours. The existing hours are added
 * after the triggers exist, so that no change is lost.
 */
export function usageDays(dialect: Dialect): string[] {
  return [
    `create table usage_days (
      account_id text not null,
      day integer not null,
      user_id text not null,
      key_id text not null,
      surface text not null,
      endpoint text not null,
      model text not null,
      requests bigint not null,
      input_tokens bigint not null,
      output_tokens bigint not null,
      cache_read_tokens bigint not null,
      primary key (${KEY.join(', ')})) ${dialect === 'postgres' ? '' : 'without rowid'}`,
    ...(dialect === 'postgres' ? POSTGRES : SQLITE),
    `insert into usage_days
      select account_id, hour / 24, user_id, key_id, surface, endpoint, model, ${SUMS.map(sum => `sum(${sum})`).join(', ')}
      from usage_hours group by account_id, hour / 24, user_id, key_id, surface, endpoint, model`,
    `create index usage_days_user on usage_days (account_id, user_id, day)`,
    `create index usage_days_day on usage_days (day)`,
  ]
}

/** Adds the increase of a row of the hours. */
function add(moreOf: (sum: string) => string): string {
  const key = KEY.map(name => (name === 'day' ? 'new.hour / 24' : `new.${name}`))
  const updates = SUMS.map(sum => `${sum} = usage_days.${sum} + excluded.${sum}`)
  return `insert into usage_days (${[...KEY, ...SUMS].join(', ')}) values (${[...key, ...SUMS.map(moreOf)].join(', ')})
    on conflict (${KEY.join(', ')}) do update set ${updates.join(', ')}`
}

const SQLITE = [
  `create trigger usage_days_insert after insert on usage_hours begin ${add(sum => `new.${sum}`)}; end`,
  `create trigger usage_days_update after update on usage_hours begin ${add(sum => `new.${sum} - old.${sum}`)}; end`,
]

/** Triggers run at the end of their statement. So rows of the days are locked after all rows of the hours. */
const POSTGRES = [
  `create function usage_days_add() returns trigger language plpgsql as $$
    begin ${add(sum => `new.${sum} - coalesce(old.${sum}, 0)`)}; return null; end $$`,
  `create trigger usage_days_add after insert or update on usage_hours
    for each row execute function usage_days_add()`,
]
