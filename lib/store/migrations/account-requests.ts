/**
 * Indexes for customers who search their requests in tables of many accounts:
 * - `_user`: the newest requests of one member of an account.
 * - `requests_account_broken`: streams of an account that broke after status 200. They are few, so the index is small.
 */
export function accountRequests(): string[] {
  return [
    ...['requests', 'request_errors'].map(
      table => `create index ${table}_user on ${table} (account_id, user_id, id) where user_id is not null`,
    ),
    `create index requests_account_broken on requests (account_id, id) where stream_error_type is not null`,
  ]
}
