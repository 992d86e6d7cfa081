/** For searches by customers: the newest requests of a member, and streams that broke after status 200. */
export function accountRequests(): string[] {
  return [
    ...['requests', 'request_errors'].map(
      table => `create index ${table}_user on ${table} (account_id, user_id, id) where user_id is not null`,
    ),
    `create index requests_account_broken on requests (account_id, id) where stream_error_type is not null`,
  ]
}
