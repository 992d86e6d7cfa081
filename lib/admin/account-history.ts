/** An account over time, for operators: cost, requests and tokens, what limits refused, and its balance. */
import type { Account } from '../accounts/access.ts'
import type { JsonObject } from '../base/json.ts'
import { centsOf, microcentsOf } from '../base/money.ts'
import { toIso } from '../base/time.ts'
import type { Config } from '../config/config.ts'
import { totalsOf } from '../limits/usage-cost.ts'
import { creditBalance } from '../store/credits.ts'
import { bookedByStep, refusedByStep } from '../store/queries/account-history.ts'
import { accountOf } from './accounts.ts'
import type { AdminContext } from './context.ts'
import { stepsOf } from './costs.ts'
import { pricedUsage } from './usage.ts'

/** A query that `schemas/admin/account-history-query.json` accepts. */
export interface AccountHistoryQuery {
  readonly range: '24h' | '7d' | '30d' | 'retention'
}

const HOUR = 3_600_000_000
const DAY = 24 * HOUR
const MAX_DAYS = 366

export async function accountHistory(
  context: AdminContext,
  id: string,
  { range }: AccountHistoryQuery,
): Promise<JsonObject> {
  const { config, store, now } = context
  const account = await accountOf(context, id)
  const step = range === '24h' ? HOUR : DAY
  const days = { '7d': 7, '30d': 30, retention: Math.min(MAX_DAYS, Math.ceil(config.retention_days)) }
  const count = range === '24h' ? 24 : days[range]
  const { from, to } = stepsOf(count, step, now)
  const unit = step === HOUR ? 'hour' : 'day'
  const rows = await pricedUsage(context, { account: account.id, from, to }, [unit])
  const byStep = Map.groupBy(rows, row => (Date.parse(String(row[unit])) * 1000) / step)
  const steps = { account: account.id, from, to, step }
  const { refused, readFrom: refusedFrom } = await refusedByStep(store, steps)
  const balances = await balancesOf(context, account, steps)
  const points = Array.from({ length: count }, (_, at) => {
    const time = from + at * step
    return {
      at: toIso(time),
      ...totalsOf(byStep.get(time / step) ?? []),
      refused: time < refusedFrom ? null : (refused.get(time / step) ?? {}),
      ...balances.at(time / step),
    }
  })
  return {
    ...{ account_id: account.id, account_name: account.name, range, step: step === HOUR ? '1h' : '1d' },
    ...{ from: toIso(from), to: toIso(to), budgets: budgetsOf(config, account) },
    total: { ...totalsOf(rows), refused: addedUp([...refused.values()]) },
    points,
  }
}

function addedUp(counts: readonly Readonly<Record<string, number>>[]): JsonObject {
  const sums: Record<string, number> = {}
  for (const count of counts)
    for (const [code, number] of Object.entries(count)) sums[code] = (sums[code] ?? 0) + number
  return sums
}

/** The spend limits of the account's plan. */
function budgetsOf({ plans }: Config, { plan }: Account): JsonObject[] {
  return [plans[plan ?? '']?.limits?.budget_cents ?? []]
    .flat()
    .map(({ amount, window }) => ({ amount_cents: amount, window }))
}

/** The balance at the end of each step, from the present one backwards. null: not prepaid, or not read in time. */
async function balancesOf({ store }: AdminContext, account: Account, steps: Parameters<typeof bookedByStep>[1]) {
  const nothing = { added_cents: null, charged_cents: null, balance_cents: null }
  if (account.creditsCents === undefined) return { at: () => nothing }
  const present = microcentsOf(account.creditsCents) + (await creditBalance(store, account.id))
  const { booked, readFrom } = await bookedByStep(store, steps)
  const known = new Map<number, JsonObject>()
  let balance = present
  for (let time = steps.to - steps.step; time >= readFrom; time -= steps.step) {
    const { added = 0, charged = 0 } = booked.get(time / steps.step) ?? {}
    known.set(time / steps.step, {
      ...{ added_cents: centsOf(added), charged_cents: centsOf(charged), balance_cents: centsOf(balance) },
    })
    balance -= added - charged
  }
  return { at: (step: number) => known.get(step) ?? nothing }
}
