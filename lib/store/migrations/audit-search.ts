/**
 * The audit log by what was done and by who did it: nothing of it is ever deleted, and a name that it does not have is looked for in
 * all of it.
 */
export function auditSearch(): string[] {
  return ['action', 'actor'].map(column => `create index audit_log_${column} on audit_log (${column}, id)`)
}
