/** Retry-After in seconds if the wait is not known. */
const RETRY_AFTER = 1

/** The headers of every 429 (docs/api/errors.md#headers-of-a-429). `retryAfter`: seconds. */
export function limitHeaders(limit: number, retryAfter: number = RETRY_AFTER): Readonly<Record<string, string>> {
  const seconds = String(retryAfter)
  return {
    'retry-after': seconds,
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': '0',
    'ratelimit-reset': seconds,
  }
}
