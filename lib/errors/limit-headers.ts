/** Retry-After in seconds if the wait is not known. */
const RETRY_AFTER = 1

/**
 * The headers of every 429 (docs/api/errors.md#headers-of-a-429). `retryAfter`: seconds. `retry-after-ms`, which SDKs
 * prefer, is added to waits below a second.
 */
export function limitHeaders(limit: number, retryAfter: number = RETRY_AFTER): Readonly<Record<string, string>> {
  const seconds = String(Math.ceil(retryAfter))
  return {
    'retry-after': seconds,
    ...(retryAfter < 1 && { 'retry-after-ms': String(Math.round(retryAfter * 1000)) }),
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': '0',
    'ratelimit-reset': seconds,
  }
}
