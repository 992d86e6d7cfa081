import type { Dialect } from '../database.ts'

/** Microseconds. Not imported from zones.ts, because a migration must not change. */
const ZONE = 600_000_000

/**
 * Tables that find requests without a scan of the endpoint, filled from the existing rows. `request_zones`: extremes of
 * columns with bounds per ten minutes (zones.ts). `request_error_tags`: the tags of the error log.
 */
export function zones(dialect: Dialect): string[] {
  const postgres = dialect === 'postgres'
  const keyed = postgres ? '' : 'without rowid'
  return [
    `create table request_zones (
      endpoint text not null,
      zone integer not null,
      requests bigint not null,
      min_ttft_ms integer,
      max_ttft_ms integer,
      min_total_latency_ms integer,
      max_total_latency_ms integer,
      max_input_tokens integer,
      min_cache_hit_pct double precision,
      primary key (endpoint, zone)) ${keyed}`,
    `create index request_zones_zone on request_zones (zone)`,
    `insert into request_zones
      select endpoint, created_at / ${ZONE}, count(*), min(ttft_ms), max(ttft_ms), min(total_latency_ms),
        max(total_latency_ms), max(input_tokens), min(cache_hit_pct)
      from requests where endpoint is not null group by endpoint, created_at / ${ZONE}`,
    `create table request_error_tags (
      endpoint text not null,
      tag text not null,
      created_at bigint not null,
      public_id bigint not null,
      primary key (endpoint, tag, created_at, public_id)) ${postgres ? 'partition by range (created_at)' : keyed}`,
    postgres ? SAME_DAYS : `create index request_error_tags_created_at on request_error_tags (created_at)`,
    `insert into request_error_tags
      select t.endpoint, t.tag, t.created_at, t.public_id from request_tags as t
      where exists (
        select 1 from request_errors as e
        where e.endpoint = t.endpoint and e.created_at = t.created_at and e.public_id = t.public_id)`,
  ]
}

/** Creates a partition for each partition of the error log. */
const SAME_DAYS = `do $$
  declare name text; bounds text;
  begin
    for name, bounds in
      select replace(c.relname, 'request_errors', 'request_error_tags'), pg_get_expr(c.relpartbound, c.oid)
      from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass('request_errors')
    loop
      execute format('create table %I partition of request_error_tags %s', name, bounds);
    end loop;
  end $$`
