/** The session of a client, as a keyed hash, and an index to find the requests of one. */
export function agentSessions(): string[] {
  return ['requests', 'request_errors'].flatMap(table => [
    `alter table ${table} add column session text`,
    `create index ${table}_session on ${table} (account_id, session, id) where session is not null`,
  ])
}
