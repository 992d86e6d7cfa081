import type { IncomingHttpHeaders } from 'node:http'
import { backendOptions, type ModelConfig } from '../config/config.ts'

/** Limit of a Retry-After that is passed on, in seconds: a backend's clock may be wrong by days. */
const MAX_RETRY_AFTER = 3600

/** In-flight requests that the configuration allows for a model; 1, a lower bound, if it has no limit. */
export function concurrencyOf(model: ModelConfig): number {
  if (model.max_concurrency !== undefined) return model.max_concurrency
  let sum = 0
  for (const { max_concurrency } of backendOptions(model)) {
    if (max_concurrency === undefined) return 1
    sum += max_concurrency
  }
  return Math.max(sum, 1)
}

/** Retry-After in whole seconds. A date is relative to the backend's own Date. undefined: absent or invalid. */
export function retryAfterOf(headers: IncomingHttpHeaders): number | undefined {
  const value = headers['retry-after']
  if (value === undefined) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.parse(headers.date ?? '')) / 1000
  return seconds >= 0 ? Math.min(Math.ceil(seconds), MAX_RETRY_AFTER) : undefined
}
