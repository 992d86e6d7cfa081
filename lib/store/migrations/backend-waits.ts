/** How long the requests that were sent to a backend had waited for it. */
export function backendWaits(): string[] {
  return ['backend_minutes', 'backend_hours'].flatMap(table =>
    ['waits', 'wait_ms'].map(column => `alter table ${table} add column ${column} bigint not null default 0`),
  )
}
