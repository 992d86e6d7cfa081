import type { UsageFilter } from '../../lib/console.ts'
import type { Config } from '../../lib/plugin.ts'

/**
 * The filter for the `endpoint` of a usage query: the serverless gateway for one of its hosts, otherwise the dedicated
 * endpoint of that host. An unknown host has no usage. A report covers one account, so it reveals nothing about others.
 */
export function scopeOf(endpoint: string, { hosts }: Pick<Config, 'hosts'>): Pick<UsageFilter, 'endpoint' | 'surface'> {
  const host = endpoint.toLowerCase()
  return hosts.gateway?.includes(host) === true ? { surface: 'gateway' } : { endpoint: host }
}
