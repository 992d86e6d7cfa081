import type { UsageFilter } from '../../lib/console.ts'
import type { Config } from '../../lib/plugin.ts'

/**
 * The filter for the `endpoint` of a usage query: the serverless gateway for one of the gateway's hosts, otherwise the
 * dedicated endpoint of that host. An unknown host is no error and has no usage. A report covers one account, so it
 * reveals nothing about other accounts.
 */
export function scopeOf(endpoint: string, { hosts }: Pick<Config, 'hosts'>): Pick<UsageFilter, 'endpoint' | 'surface'> {
  const host = endpoint.toLowerCase()
  return hosts.gateway?.includes(host) === true ? { surface: 'gateway' } : { endpoint: host }
}
