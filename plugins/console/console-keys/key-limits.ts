/** The limits that hold for a key: those of its account's plan and its own, with what is used of each. */
import {
  type Html,
  html,
  htmlMeter,
  htmlTable,
  moneyHtml,
  nameHtml,
  type OwnAccount,
  type StoredKey,
  timeHtml,
} from '../../../lib/console.ts'
import { rateName, type Services, scopeName } from '../../../lib/plugin.ts'
import { countText, windowText } from '../numbers.ts'
import { budgetUsageOf, quotaUsageOf } from '../remaining.ts'
import { requestsHref } from '../view.ts'

type Limits = NonNullable<StoredKey['limits']>
type Block = Pick<Limits, 'requests_per_minute' | 'tokens_per_minute' | 'concurrency' | 'budget_cents'>

/** Limits that count the same requests. */
interface CountedBlock {
  /** `account`, or `key`, and the model, if there is one. */
  readonly of: string
  readonly key: string | undefined
  readonly model: string | undefined
  readonly limits: Block
}

/** A row of the table. */
export interface KeyLimit {
  readonly of: string
  /** The requests that a limit of one model counts, over 30 days; undefined: the limit is of all models. */
  readonly href: string | undefined
  readonly name: string
  readonly used: number
  readonly limit: number
  /** Amounts are cents. */
  readonly isMoney: boolean
  /** End of the window, in milliseconds since the epoch; null: the last minute, or now. */
  readonly end: number | null
}

/** undefined `account`: the user has left it, so its plan is unknown. */
export async function keyLimitsOf(
  services: Services,
  { id, limits }: Pick<StoredKey, 'id' | 'limits'>,
  account: OwnAccount | undefined,
): Promise<readonly KeyLimit[]> {
  if (account === undefined) return []
  const plan = services.config.plans[account.plan ?? '']
  const concurrency = plan?.limits?.concurrency ?? plan?.concurrency
  const ofPlan = { ...plan?.limits, ...(concurrency !== undefined && { concurrency }) }
  const blocks = [...blocksOf('account', undefined, ofPlan), ...blocksOf('key', id, limits ?? {})]
  const [quota, ...rows] = await Promise.all([
    quotaUsageOf(services, account),
    ...blocks.map(block => rowsOf(services, account, block)),
  ])
  const ofQuota =
    quota === null
      ? []
      : [{ of: 'account', href: undefined, name: 'Requests of the plan', ...quota, isMoney: false } as const]
  return [...ofQuota, ...rows.flat()]
}

function blocksOf(of: string, key: string | undefined, { models = {}, ...limits }: Partial<Limits>): CountedBlock[] {
  const ofModels = Object.entries(models).map(([model, own]) => ({
    of: `${of}, model ${model}`,
    key,
    model,
    limits: own,
  }))
  return [{ of, key, model: undefined, limits }, ...ofModels]
}

async function rowsOf(
  services: Services,
  account: OwnAccount,
  { of, key, model, limits }: CountedBlock,
): Promise<readonly KeyLimit[]> {
  const { rates, leases } = services.limits
  const scope = scopeName({ key, model })
  const href =
    model === undefined ? undefined : requestsHref({ account: account.id, key: key ?? false, model, since: '30d' })
  const counts = [
    ['Requests in a minute', limits.requests_per_minute, () => rates.used(account.id, rateName('inference', scope))],
    ['Tokens in a minute', limits.tokens_per_minute, () => rates.used(account.id, rateName('tokens', scope))],
    ['Requests in flight', limits.concurrency, () => leases.inFlight(account.id, scope)],
  ] as const
  const counted = counts.map(async ([name, limit, use]) =>
    limit === undefined ? [] : [{ of, href, name, used: await use(), limit, isMoney: false, end: null }],
  )
  const [budgets, ...others] = await Promise.all([budgetUsageOf(services, account, limits, { key, model }), ...counted])
  const ofBudgets = budgets.map(({ window, used, limit, end }) => {
    return { of, href, name: `Budget of ${windowText(window)}`, used, limit, isMoney: true, end }
  })
  return [...others.flat(), ...ofBudgets]
}

export function limitsTable(limits: readonly KeyLimit[], currency: string): Html {
  if (limits.length === 0) return html`<p>Neither the plan of the account nor the key limits requests.</p>`
  const rows = limits.map(({ of, href, name, used, limit, isMoney, end }) => {
    const shown = (value: number) => (isMoney ? moneyHtml(value, currency) : countText(value))
    const until =
      end === null ? 'now' : html`<span class="whole prose">until ${timeHtml(new Date(end).toISOString())}</span>`
    return [
      html`<span class="whole">${name}</span>`,
      href === undefined ? nameHtml(of) : html`<a href="${href}">${nameHtml(of)}</a>`,
      shown(used),
      shown(limit),
      htmlMeter(used, limit),
      until,
    ]
  })
  return htmlTable('Limits of requests with this key', ['Limit', 'Of', 'Used#', 'At most#', 'Share', 'Counted'], rows)
}
