import type { UsageFilter } from '../../lib/console.ts'
import type { Config } from '../../lib/plugin.ts'

/**
 * What the `endpoint` of a usage query selects: the serverless gateway where it is one of the gateway's hosts, else the
 * dedicated endpoint of that host. An unknown host is no error and has no usage. Reports contain the usage of
 * one account only, so the answer reveals nothing about other accounts.
 */
export function scopeOf(endpoint: string, { hosts }: Pick<Config, 'hosts'>): Pick<UsageFilter, 'endpoint' | 'surface'> {
  const host = endpoint.toLowerCase()
  return hosts.gateway?.includes(host) === true ? { surface: 'gateway' } : { endpoint: host }
}
