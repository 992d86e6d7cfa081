/** The time that a request waited in its engine, as reported by the engine. */
export function engineQueue(): string[] {
  return ['requests', 'request_errors'].map(table => `alter table ${table} add column engine_queue_ms integer`)
}
