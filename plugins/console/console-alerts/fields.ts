/** The fields of the form for an alert. */
import type { NewOwnAlert, Refusal } from '../../../lib/console.ts'

const MAX_CENTS = 1_000_000_000

/** What alerts watch, with the text of the form. */
export const KINDS = [
  ['budget_used', () => 'this percentage of the budget is used'],
  ['balance_below_cents', (currency: string) => `the balance is below this amount in ${currency}`],
] as const satisfies readonly (readonly [NewOwnAlert['kind'], (currency: string) => string])[]

/** The fields, or why one is refused. */
export function alertFieldsOf(form: URLSearchParams): NewOwnAlert | Refusal {
  const kind = KINDS.find(([name]) => name === form.get('kind'))?.[0]
  if (kind === undefined) return { field: 'kind', text: 'Choose when the alert is sent.' }
  const text = (form.get('value') ?? '').trim()
  const value = text === '' ? Number.NaN : Number(text)
  if (kind === 'budget_used' && !(value > 0 && value <= 100))
    return { field: 'value', text: 'The percentage must be above 0 and at most 100.' }
  if (kind === 'balance_below_cents' && !(value >= 0 && value <= MAX_CENTS / 100))
    return { field: 'value', text: 'The amount must be a number from 0 to 10,000,000.' }
  // Twelve digits, so that 7 percent are 0.07.
  const threshold = kind === 'budget_used' ? Number((value / 100).toPrecision(12)) : Math.round(value * 100)
  const url = (form.get('url') ?? '').trim()
  return { subject: form.get('subject') ?? '', kind, threshold, url, nonce: form.get('nonce') ?? '' }
}
