import type { Dialect } from '../database.ts'

/**
 * `usage_days`: what `usage_hours` has, by day, filled from it. A month of a large account is a thirtieth of the rows to read. The
 * indexes are those of the hours.
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
      primary key (account_id, day, user_id, key_id, surface, endpoint, model)) ${
        dialect === 'postgres' ? '' : 'without rowid'
      }`,
    `insert into usage_days
      select account_id, hour / 24, user_id, key_id, surface, endpoint, model, sum(requests), sum(input_tokens),
        sum(output_tokens), sum(cache_read_tokens)
      from usage_hours group by account_id, hour / 24, user_id, key_id, surface, endpoint, model`,
    `create index usage_days_user on usage_days (account_id, user_id, day)`,
    `create index usage_days_day on usage_days (day)`,
  ]
}
