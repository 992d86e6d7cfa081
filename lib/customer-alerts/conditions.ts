/** When an alert of a customer raises an event, and what the event says. */
import type { Account } from '../accounts/access.ts'
import type { JsonObject } from '../base/json.ts'
import { centsOf, MICROCENTS_PER_CENT } from '../base/money.ts'
import type { RequestLimitsConfig } from '../config/config.ts'
import { type Budget, budgetsOf } from '../limits/windows.ts'
import type { CustomerAlert, NewEvent } from '../store/customer-alerts.ts'

/** `budget_used`: a share of a budget is used. `balance_below_cents`: the balance of a prepaid account is below. */
export type AlertKind = 'budget_used' | 'balance_below_cents'

/** What an alert is about: a key, or a whole account. */
export interface Subject {
  readonly account: Pick<Account, 'id' | 'name' | 'creditsCents'>
  /** null: the account. */
  readonly key: { readonly id: string; readonly label: string | null } | null
  /** The budgets that an alert watches. */
  readonly budgets: readonly Budget[]
}

/** A budget in its current window. */
export interface SpentBudget extends Budget {
  readonly spentMicrocents: number
  /** Milliseconds since the epoch. */
  readonly end: number
}

/** A condition that is true, in a period. */
export interface Crossing {
  /** Has no spaces. The same condition of another period has another name. */
  readonly period: string
  readonly event: NewEvent
}

const HOUR_MS = 3_600_000
const LOW = 'low'

/** Budgets with windows of at least an hour, because the store has totals by hour. */
export function watchedBudgets(limits: RequestLimitsConfig = {}): readonly Budget[] {
  return budgetsOf(limits).filter(({ windowMs }) => windowMs >= HOUR_MS)
}

/** The conditions of an alert `budget_used` that are true, the most used budget first. */
export function usedBudgets(
  { id, threshold }: Pick<CustomerAlert, 'id' | 'threshold'>,
  subject: Subject,
  budgets: readonly SpentBudget[],
  currency: string,
  now: number,
): Crossing[] {
  const shareOf = ({ spentMicrocents, amount }: SpentBudget) => spentMicrocents / (amount * MICROCENTS_PER_CENT)
  return budgets
    .filter(budget => shareOf(budget) >= threshold)
    .toSorted((a, b) => shareOf(b) - shareOf(a))
    .map(({ amount, window, windowMs, spentMicrocents, end }) => {
      const amounts = { used_cents: centsOf(spentMicrocents), limit_cents: amount, currency }
      const window_end = new Date(end).toISOString()
      const data = { ...dataOf(id, subject), threshold, ...amounts, window, window_end }
      return { period: `${windowMs}:${amount}:${end}`, event: eventOf('budget.used', data, now) }
    })
}

/** The condition of an alert `balance_below_cents`, if it is true. */
export function lowBalance(
  { id, threshold }: Pick<CustomerAlert, 'id' | 'threshold'>,
  subject: Subject,
  balanceMicrocents: number,
  currency: string,
  now: number,
): Crossing[] {
  // Rounded down, as pages show it.
  const balance = Math.floor(balanceMicrocents / MICROCENTS_PER_CENT)
  if (balance >= threshold) return []
  const data = { ...dataOf(id, subject), threshold_cents: threshold, balance_cents: balance, currency }
  return [{ period: LOW, event: eventOf('balance.low', data, now) }]
}

/** The event of the button that tests an alert. */
export function testEvent(id: string, subject: Subject, now: number): NewEvent {
  return eventOf(TEST, dataOf(id, subject), now)
}

export const TEST = 'alert.test'

interface Change {
  readonly crossed: string
  /** undefined: no event is raised. */
  readonly event: NewEvent | undefined
}

/**
 * What follows from the conditions that are true. undefined: nothing changes. A condition raises one event per period,
 * and an alert one an hour: a further condition waits. `now`: milliseconds since the epoch.
 */
export function changeOf(
  alert: Pick<CustomerAlert, 'crossed' | 'event_at'>,
  crossings: readonly Crossing[],
  now: number,
): Change | undefined {
  const before = alert.crossed.split(' ').filter(period => period !== '')
  const kept = before.filter(period => (period === LOW ? crossings.length > 0 : !hasPassed(period, now)))
  const isPaused = alert.event_at !== null && alert.event_at / 1000 > now - HOUR_MS
  const next = isPaused ? undefined : crossings.find(({ period }) => !kept.includes(period))
  const crossed = [...kept, ...(next === undefined ? [] : [next.period])].join(' ')
  return crossed === alert.crossed ? undefined : { crossed, event: next?.event }
}

/** Whether a window has ended an hour ago: a process whose clock is late must not raise its event again. */
function hasPassed(period: string, now: number): boolean {
  return Number(period.slice(period.lastIndexOf(':') + 1)) + HOUR_MS <= now
}

function dataOf(alert_id: string, { account, key }: Subject): JsonObject {
  return {
    alert_id,
    account_id: account.id,
    account: account.name,
    key_id: key?.id ?? null,
    key_label: key?.label ?? null,
  }
}

function eventOf(type: string, data: JsonObject, now: number): NewEvent {
  return { type, body: JSON.stringify({ type, timestamp: new Date(now).toISOString(), data }) }
}
