import type { Dialect } from '../database.ts'

/** Numbers that several processes, and several minutes, add up. Not imported, because a migration must not change. */
const SUMS = [
  ...['up_ms', 'unhealthy_ms', 'ejected_ms', 'probing_ms', 'draining_ms', 'drained_ms'],
  ...['in_flight_ms', 'queue_ms', 'fill_ms', 'fill_known_ms'],
  ...['requests', 'refused', 'failed', 'timeout', 'unreachable', 'cancelled', 'turned_away'],
  ...['input_tokens', 'output_tokens', 'predictions', 'predicted_ms', 'measured_ms'],
  ...Array.from({ length: 20 }, (_, i) => `ttft_${i}`),
  ...Array.from({ length: 20 }, (_, i) => `pace_${i}`),
]

/** The history of backends and models: by minute, by hour, and what has happened to them. */
export function backendHistory(dialect: Dialect): string[] {
  const keyed = dialect === 'postgres' ? '' : 'without rowid'
  const sums = SUMS.map(name => `${name} bigint not null,`).join('\n      ')
  const table = (name: string, time: string) => `create table ${name} (
      model text not null,
      backend text not null,
      ${time} integer not null,
      minutes integer not null,
      ${sums}
      in_flight_max bigint not null,
      queue_max bigint not null,
      capacity bigint,
      cached_tokens bigint,
      primary key (model, backend, ${time})) ${keyed}`
  return [
    table('backend_minutes', 'minute'),
    `create index backend_minutes_minute on backend_minutes (minute)`,
    table('backend_hours', 'hour'),
    `create index backend_hours_hour on backend_hours (hour)`,
    `create table backend_events (
      minute integer not null,
      kind text not null,
      model text not null,
      backend text not null,
      reason text not null,
      at bigint not null,
      reports integer not null,
      primary key (minute, kind, model, backend, reason)) ${keyed}`,
  ]
}
