/** One-time links to the console, and its sessions. */
export function consoleSessions(): string[] {
  return [
    `create table console_sessions (
      sha256 text primary key,
      kind text not null,
      user_id text not null,
      expires_at bigint not null)`,
  ]
}
