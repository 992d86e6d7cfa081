import type { Dialect } from '../database.ts'

const DAY_KEY = ['account_id', 'day', 'user_id', 'key_id', 'surface', 'endpoint', 'model']
const USER_KEY = ['account_id', 'day', 'user_id', 'model']
const SUMS = ['requests', 'input_tokens', 'output_tokens', 'cache_read_tokens', 'units']

/**
 * What requests take in characters, images or seconds, and its totals. The triggers of the totals by day are replaced.
 * Older versions write hours without units, which are 0 then.
 */
export function units(dialect: Dialect): string[] {
  const tables = ['usage_hours', 'usage_days', ...(dialect === 'postgres' ? [] : ['usage_user_days'])]
  return [
    ...['requests', 'request_errors'].flatMap(table => [
      `alter table ${table} add column unit text`,
      `alter table ${table} add column units integer`,
    ]),
    ...tables.map(table => `alter table ${table} add column units bigint not null default 0`),
    ...(dialect === 'postgres' ? POSTGRES : SQLITE),
  ]
}

/** Adds the increase of a row. `columnOf`: the SQL of a member of the key. */
function add(
  table: string,
  key: readonly string[],
  columnOf: (name: string) => string,
  moreOf: (sum: string) => string,
) {
  const updates = SUMS.map(sum => `${sum} = ${table}.${sum} + excluded.${sum}`)
  return `insert into ${table} (${[...key, ...SUMS].join(', ')}) values (${[...key.map(columnOf), ...SUMS.map(moreOf)].join(', ')})
    on conflict (${key.join(', ')}) do update set ${updates.join(', ')}`
}

const dayOf = (name: string) => (name === 'day' ? 'new.hour / 24' : `new.${name}`)
const added = (sum: string) => `new.${sum}`
const increase = (sum: string) => `new.${sum} - old.${sum}`

const SQLITE = [
  'drop trigger usage_days_insert',
  'drop trigger usage_days_update',
  'drop trigger usage_user_days_insert',
  'drop trigger usage_user_days_update',
  `create trigger usage_days_insert after insert on usage_hours
    begin ${add('usage_days', DAY_KEY, dayOf, added)}; end`,
  `create trigger usage_days_update after update on usage_hours
    begin ${add('usage_days', DAY_KEY, dayOf, increase)}; end`,
  `create trigger usage_user_days_insert after insert on usage_days
    begin ${add('usage_user_days', USER_KEY, added, added)}; end`,
  `create trigger usage_user_days_update after update on usage_days
    begin ${add('usage_user_days', USER_KEY, added, increase)}; end`,
]

const POSTGRES = [
  `create or replace function usage_days_add() returns trigger language plpgsql as $$
    begin ${add('usage_days', DAY_KEY, dayOf, sum => `new.${sum} - coalesce(old.${sum}, 0)`)}; return null; end $$`,
]
