/** The time that a request waited inside its engine, as an engine reports it. */
export function engineQueue(): string[] {
  return ['requests', 'request_errors'].map(table => `alter table ${table} add column engine_queue_ms integer`)
}
