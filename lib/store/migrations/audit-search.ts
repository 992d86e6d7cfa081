/** Indexes of the audit log by action and by actor. Without them, an unknown name would scan all of it. */
export function auditSearch(): string[] {
  return ['action', 'actor'].map(column => `create index audit_log_${column} on audit_log (${column}, id)`)
}
