import type { Dialect } from '../database.ts'

/**
 * The first schema. Times are microseconds since the epoch, so that both stores compare and page alike. In PostgreSQL,
 * the three tables that grow with traffic are partitioned by day (partitions.ts).
 *
 * Purpose of the indexes of `requests`, all within one dedicated endpoint:
 * - `page`: the list in its order. It contains the columns of the filters, so that rows which do not match are not
 *   fetched (docs/api/endpoint-requests.md).
 * - `public_id`: the lookup of one request, by hex digits or UUID.
 * - `sample`: percentiles of busy endpoints, from one request in 64 (queries/percentiles.ts).
 *
 * Requests of the serverless surface are not in these indexes, so they cost nothing there.
 */
export function initialSchema(dialect: Dialect): string[] {
  const postgres = dialect === 'postgres'
  const uuid = postgres ? 'uuid' : 'text'
  const flag = postgres ? 'boolean' : 'integer'
  const byDay = postgres ? 'partition by range (created_at)' : ''
  const keyed = postgres ? '' : 'without rowid'
  const requestKey = postgres ? 'id, created_at' : 'id'
  const requestColumns = `
    id ${uuid} not null,
    created_at bigint not null,
    surface text not null,
    endpoint text,
    account_id text,
    user_id text,
    key_id text,
    method text not null,
    path text not null,
    model_requested text,
    model_resolved text,
    status_code integer not null,
    is_streaming ${flag} not null,
    ttft_ms integer,
    total_latency_ms integer,
    duration_ms integer,
    input_tokens integer,
    output_tokens integer,
    cache_read_tokens integer,
    reasoning_tokens integer,
    output_tps double precision,
    finish_reason text,
    matched_stop_token_id integer,
    stall_count integer not null,
    temperature double precision,
    top_p double precision,
    tool_count integer not null,
    transport_status_code integer,
    stream_error_status_code integer,
    stream_error_type text,
    usage_present ${flag} not null,
    usage_parse_error text,
    error_code text,
    error_message text,
    request_tags text,
    zdr ${flag} not null,
    dispatched ${flag} not null,
    cost_microcents bigint,
    public_id bigint not null,
    cache_hit_pct double precision,
    primary key (${requestKey})`
  return [
    `create table requests (${requestColumns}) ${byDay}`,
    `create index requests_page on requests
      (endpoint, created_at, public_id, ttft_ms, total_latency_ms, input_tokens, cache_hit_pct)
      where endpoint is not null`,
    `create index requests_public_id on requests (endpoint, public_id) where endpoint is not null`,
    `create index requests_sample on requests
      (endpoint, created_at, public_id, status_code, ttft_ms, total_latency_ms, output_tps)
      where endpoint is not null and public_id < 4398046511104`,
    `create table request_errors (${requestColumns}) ${byDay}`,
    `create index request_errors_page on request_errors (endpoint, created_at, public_id) where endpoint is not null`,
    `create index request_errors_public_id on request_errors (endpoint, public_id) where endpoint is not null`,
    `create table request_tags (
      endpoint text not null,
      tag text not null,
      created_at bigint not null,
      public_id bigint not null,
      primary key (endpoint, tag, created_at, public_id)) ${keyed} ${byDay}`,
    ...(postgres ? [] : [`create index request_tags_created_at on request_tags (created_at)`]),
    `create table usage_hours (
      account_id text not null,
      hour integer not null,
      user_id text not null,
      key_id text not null,
      surface text not null,
      endpoint text not null,
      model text not null,
      requests bigint not null,
      input_tokens bigint not null,
      output_tokens bigint not null,
      cache_read_tokens bigint not null,
      primary key (account_id, hour, user_id, key_id, surface, endpoint, model)) ${keyed}`,
    `create index usage_hours_user on usage_hours (account_id, user_id, hour)`,
    `create table endpoint_minutes (
      endpoint text not null,
      minute integer not null,
      status_code integer not null,
      requests bigint not null,
      errors bigint not null,
      input_tokens bigint not null,
      output_tokens bigint not null,
      cache_read_tokens bigint not null,
      stalls bigint not null,
      primary key (endpoint, minute, status_code)) ${keyed}`,
    `create index endpoint_minutes_minute on endpoint_minutes (minute)`,
    `create table accounts (
      id text primary key,
      name text not null,
      kind text not null,
      plan text,
      zdr_required ${flag} not null,
      models text not null,
      credits_cents bigint,
      created_at bigint not null)`,
    `create table members (
      account_id text not null,
      user_id text not null,
      role text not null,
      created_at bigint not null,
      removed_at bigint,
      primary key (account_id, user_id))`,
    `create table keys (
      id text primary key,
      account_id text not null,
      user_id text,
      kind text not null,
      sha256 text not null unique,
      endpoints text not null,
      created_at bigint not null,
      revoked_at bigint)`,
    `create index keys_account on keys (account_id)`,
    `create table key_changes (id integer primary key, counter bigint not null)`,
    `insert into key_changes (id, counter) values (1, 0)`,
    `create table credits_ledger (
      request_id text primary key,
      account_id text not null,
      amount_microcents bigint not null,
      kind text not null,
      created_at bigint not null)`,
    `create index credits_ledger_account on credits_ledger (account_id, created_at)`,
    `create table credit_balances (
      account_id text primary key,
      balance_microcents bigint not null,
      charged_microcents bigint not null)`,
  ]
}
