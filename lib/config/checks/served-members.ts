/** Members that only one plugin reads. If the plugin does not run, they silently have no effect. */
import type { Json } from '../../base/json.ts'
import type { ChainConfig } from '../chain.ts'
import { occurrences, type Report } from './view.ts'

/** A member and the plugin that reads it. */
interface PluginMember {
  /** Path in the file; `*`: every entry. */
  readonly member: string
  readonly plugin: string
  /** What does not happen without the plugin. */
  readonly lost: string
  /** Whether a value has no effect anyway. */
  readonly isIdle?: (value: Json) => boolean
}

const isEmpty = (value: Json) => Array.isArray(value) && value.length === 0

/** The members that limit the requests of a plan or a key. */
function limits(holder: string): PluginMember[] {
  return [
    { member: `${holder}.limits.requests_per_minute`, plugin: 'rate-limit', lost: 'requests are not limited' },
    { member: `${holder}.limits.concurrency`, plugin: 'concurrency', lost: 'requests in flight are not limited' },
    { member: `${holder}.limits.tokens_per_minute`, plugin: 'usage-limits', lost: 'tokens are not limited' },
    { member: `${holder}.limits.budget_cents`, plugin: 'usage-limits', lost: 'money is not limited' },
    { member: `${holder}.limits.models`, plugin: 'usage-limits', lost: 'requests to a model are not limited' },
    { member: `${holder}.limits.end_user`, plugin: 'usage-limits', lost: 'end users are not limited' },
  ]
}

export const PLUGIN_MEMBERS: readonly PluginMember[] = [
  { member: 'plans.*.concurrency', plugin: 'concurrency', lost: 'requests in flight are not limited' },
  { member: 'plans.*.requests', plugin: 'quota', lost: 'requests are not limited' },
  ...limits('plans.*'),
  ...limits('accounts.*.keys.*'),
  { member: 'accounts.*.credits_cents', plugin: 'credits', lost: 'no account is charged' },
  {
    member: 'accounts.*.zdr_required',
    plugin: 'zdr',
    lost: 'requests go to backends that may retain them',
    isIdle: value => value === false,
  },
  { member: 'credits', plugin: 'credits', lost: 'no account is charged' },
  { member: 'rate_limits_per_minute', plugin: 'rate-limit', lost: 'requests are not limited' },
  { member: 'cors.origins', plugin: 'cors', lost: 'browsers are refused', isIdle: isEmpty },
  { member: 'console.oidc', plugin: 'console-oidc', lost: 'users cannot sign in by it' },
  { member: 'console.alerts', plugin: 'console-alerts', lost: 'none can be set', isIdle: value => value === false },
  { member: 'metrics.accounts', plugin: 'metrics', lost: 'nothing is counted', isIdle: value => value === 0 },
  { member: 'image_fetch.allow', plugin: 'images', lost: 'no image is fetched', isIdle: isEmpty },
  { member: 'files', plugin: 'files', lost: 'no file can be uploaded' },
  { member: 'alerts.credit_below_cents', plugin: 'credits', lost: 'balances never fall', isIdle: isEmpty },
  { member: 'alerts.quota_used', plugin: 'records', lost: 'no usage is counted', isIdle: isEmpty },
  { member: 'export.records', plugin: 'records', lost: 'there are no records' },
  { member: 'tools.empty_parameters', plugin: 'tools', lost: 'tools are not checked' },
  ...['models.*.sampling', 'models.*.defaults.sampling'].map(member => ({
    member,
    plugin: 'sampling',
    lost: 'sampling parameters are not removed',
    isIdle: (value: Json) => value === 'free',
  })),
]

/** Reports one doubt for each row, at its first occurrence. A plugin of the operator may read the member instead. */
export function checkServedMembers(file: Json, { entries }: ChainConfig, doubt: Report): void {
  const running = new Set(entries.filter(({ enabled }) => enabled).map(({ use }) => use))
  for (const { member, plugin, lost, isIdle = () => false } of PLUGIN_MEMBERS) {
    if (running.has(plugin)) continue
    const [first, ...others] = occurrences(file, member.split('.')).filter(({ value }) => !isIdle(value))
    if (first === undefined) continue
    const more = others.length === 0 ? '' : ` (and ${others.length} more like it)`
    doubt(first.path, `has no effect${more}: the plugin '${plugin}' does not run, so ${lost}; add it, or remove this`)
  }
}
