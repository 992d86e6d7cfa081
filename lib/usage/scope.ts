import type { Config } from '../config/config.ts'
import type { UsageFilter } from '../store/queries/usage.ts'

/**
 * The `endpoint` of a usage query: a dedicated endpoint, or by one of its hosts the serverless gateway. Reports hold
 * nothing but the account's own usage, so an unknown host is no mistake that could tell anything: it has none.
 */
export function scopeOf(endpoint: string, { hosts }: Pick<Config, 'hosts'>): Pick<UsageFilter, 'endpoint' | 'surface'> {
  const host = endpoint.toLowerCase()
  return hosts.gateway?.includes(host) === true ? { surface: 'gateway' } : { endpoint: host }
}
