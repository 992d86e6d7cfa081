/** The end user whom a request names, by its hash, and its name if the configuration keeps it. */
export function endUsers(): string[] {
  return [
    ...['requests', 'request_errors'].flatMap(table => [
      `alter table ${table} add column end_user text`,
      `alter table ${table} add column end_user_label text`,
    ]),
    `create index requests_end_user on requests (account_id, end_user, created_at) where end_user is not null`,
  ]
}
