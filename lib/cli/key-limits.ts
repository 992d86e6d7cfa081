/** The options of `sluiceway keys create` that limit the requests of the key. */
import { type RequestLimitsConfig, windowMilliseconds } from '../config/config.ts'
import { UsageError } from './command.ts'

export const LIMIT_OPTIONS = {
  'requests-per-minute': { type: 'string' },
  'tokens-per-minute': { type: 'string' },
  concurrency: { type: 'string' },
  'budget-cents': { type: 'string', multiple: true },
} as const

type Values = { readonly [N in Exclude<keyof typeof LIMIT_OPTIONS, 'budget-cents'>]?: string | undefined } & {
  readonly 'budget-cents'?: readonly string[] | undefined
}

/** The maxima of schemas/config/request-limits.json. */
const MAX_BUDGETS = 4
const MAX = { 'requests-per-minute': 1e6, 'tokens-per-minute': 1e9, concurrency: 1e6 } as const

/** The limits of a key; undefined: no option is set. Throws UsageError. */
export function limitsOf(values: Values): RequestLimitsConfig | undefined {
  const limits: RequestLimitsConfig = {
    ...member('requests_per_minute', count(values, 'requests-per-minute')),
    ...member('tokens_per_minute', count(values, 'tokens-per-minute')),
    ...member('concurrency', count(values, 'concurrency')),
    ...member('budget_cents', budgets(values['budget-cents'])),
  }
  return Object.keys(limits).length === 0 ? undefined : limits
}

function member<N extends keyof RequestLimitsConfig>(name: N, value: RequestLimitsConfig[N]) {
  return value === undefined ? null : { [name]: value }
}

function count(values: Values, name: keyof typeof MAX): number | undefined {
  const text = values[name]
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > MAX[name])
    throw new UsageError(`--${name} must be a whole number from 1 to ${MAX[name]}`)
  return Number(text)
}

function budgets(texts: readonly string[] = []): RequestLimitsConfig['budget_cents'] {
  const read = texts.map(budget)
  if (read.length > MAX_BUDGETS || new Set(read.map(({ window }) => windowMilliseconds(window))).size < read.length)
    throw new UsageError(`--budget-cents may be given ${MAX_BUDGETS} times, with different windows`)
  return read.length > 1 ? read : read[0]
}

function budget(text: string) {
  const [, amount, window = ''] = /^(\d{1,9}(?:\.\d{1,6})?)\/(\w+)$/.exec(text) ?? []
  if (amount === undefined || Number(amount) <= 0 || windowMilliseconds(window) === undefined)
    throw new UsageError('--budget-cents must be cents and a window, such as 500/30d or 12.5/1h')
  return { amount: Number(amount), window }
}
