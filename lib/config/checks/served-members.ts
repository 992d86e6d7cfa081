/** Members that only one plugin reads: where it does not run, they would silently have no effect. */
import { isObject, type Json } from '../../base/json.ts'
import type { ChainConfig } from '../chain.ts'
import type { Report } from './view.ts'

interface Served {
  /** Path in the file; `*`: each entry. */
  readonly member: string
  readonly plugin: string
  /** What does not happen without it. */
  readonly lost: string
  /** Values that ask for nothing. */
  readonly idle?: (value: Json) => boolean
}

const isEmpty = (value: Json) => Array.isArray(value) && value.length === 0

/** The members of a plan and of a key that limit requests. */
function limits(holder: string): Served[] {
  return [
    { member: `${holder}.limits.requests_per_minute`, plugin: 'rate-limit', lost: 'requests are not limited' },
    { member: `${holder}.limits.concurrency`, plugin: 'concurrency', lost: 'requests in flight are not limited' },
    { member: `${holder}.limits.tokens_per_minute`, plugin: 'usage-limits', lost: 'tokens are not limited' },
    { member: `${holder}.limits.budget_cents`, plugin: 'usage-limits', lost: 'money is not limited' },
  ]
}

export const SERVED_MEMBERS: readonly Served[] = [
  { member: 'plans.*.concurrency', plugin: 'concurrency', lost: 'requests in flight are not limited' },
  { member: 'plans.*.requests', plugin: 'quota', lost: 'requests are not limited' },
  ...limits('plans.*'),
  ...limits('accounts.*.keys.*'),
  { member: 'accounts.*.credits_cents', plugin: 'credits', lost: 'nobody pays' },
  {
    member: 'accounts.*.zdr_required',
    plugin: 'zdr',
    lost: 'requests go to backends that may retain them',
    idle: value => value === false,
  },
  { member: 'credits', plugin: 'credits', lost: 'nobody pays' },
  { member: 'rate_limits_per_minute', plugin: 'rate-limit', lost: 'requests are not limited' },
  { member: 'cors.origins', plugin: 'cors', lost: 'browsers are refused', idle: isEmpty },
  { member: 'console.oidc', plugin: 'console-oidc', lost: 'nobody signs in by it' },
  { member: 'metrics.accounts', plugin: 'metrics', lost: 'nothing is counted', idle: value => value === 0 },
  { member: 'image_fetch.allow', plugin: 'images', lost: 'no image is fetched', idle: isEmpty },
  { member: 'files', plugin: 'files', lost: 'no file can be uploaded' },
  { member: 'alerts.credit_below_cents', plugin: 'credits', lost: 'no balance ever falls', idle: isEmpty },
  { member: 'alerts.quota_used', plugin: 'records', lost: 'no usage is counted', idle: isEmpty },
  { member: 'tools.empty_parameters', plugin: 'tools', lost: 'tools are not checked' },
  { member: 'models.*.sampling', plugin: 'sampling', lost: 'it is not kept', idle: value => value === 'free' },
]

/** One doubt for each row, at the first place. What plugins of others do instead is not known. */
export function checkServedMembers(file: Json, { entries }: ChainConfig, doubt: Report): void {
  const running = new Set(entries.filter(({ enabled }) => enabled).map(({ use }) => use))
  for (const { member, plugin, lost, idle = () => false } of SERVED_MEMBERS) {
    if (running.has(plugin)) continue
    const [first, ...others] = places(file, member.split('.')).filter(({ value }) => !idle(value))
    if (first === undefined) continue
    const more = others.length === 0 ? '' : ` (and ${others.length} more like it)`
    doubt(first.path, `has no effect${more}: the plugin '${plugin}' does not run, so ${lost}; add it, or remove this`)
  }
}

interface Place {
  readonly path: string
  readonly value: Json
}

function places(value: Json, names: readonly string[], path: readonly string[] = []): Place[] {
  const [name, ...rest] = names
  if (name === undefined) return [{ path: path.join('.'), value }]
  if (name === '*') {
    const entries = isObject(value) || Array.isArray(value) ? Object.entries(value) : []
    return entries.flatMap(([key, inner]) => places(inner as Json, rest, [...path, key]))
  }
  if (!isObject(value) || !Object.hasOwn(value, name)) return []
  return places(value[name]!, rest, [...path, name])
}
