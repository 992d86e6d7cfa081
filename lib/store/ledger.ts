/** The ledger of credits: its entries, and their sums per account. */
import { bulkInsert, type Insertions, insertRows } from './bulk.ts'
import type { Database } from './database.ts'

/** `note`: reason why an operator has changed the balance. */
export type CreditEntry = Readonly<Omit<Database['credits_ledger'], 'note'>> & { readonly note?: string }

const ledger = bulkInsert(
  'credits_ledger',
  {
    request_id: 'text',
    account_id: 'text',
    amount_microcents: 'bigint',
    kind: 'text',
    created_at: 'bigint',
    note: 'text',
  },
  'do nothing',
)
const balances = bulkInsert(
  'credit_balances',
  { account_id: 'text', balance_microcents: 'bigint', charged_microcents: 'bigint' },
  `(account_id) do update set
    balance_microcents = credit_balances.balance_microcents + excluded.balance_microcents,
    charged_microcents = credit_balances.charged_microcents + excluded.charged_microcents`,
)

/**
 * Adds new entries to the ledger and to the balances, in micro-cents; to be run in a transaction. Charges are negative.
 * An entry whose request id is in the ledger is not booked again. False: all entries were in the ledger.
 */
export function* bookEntries(entries: readonly CreditEntry[]): Insertions<boolean> {
  const booked = yield* insertRows(
    ledger,
    entries.map(({ request_id, account_id, amount_microcents, kind, created_at, note = null }) => {
      return [request_id, account_id, amount_microcents, kind, created_at, note]
    }),
  )
  const fresh = new Set(booked)
  const sums = new Map<string, [account: string, balance: number, charged: number]>()
  for (const { request_id, account_id, amount_microcents, kind } of entries) {
    if (!fresh.has(request_id)) continue
    const [, balance, charged] = sums.get(account_id) ?? [account_id, 0, 0]
    const charge = kind === 'charge' ? -amount_microcents : 0
    sums.set(account_id, [account_id, balance + amount_microcents, charged + charge])
  }
  yield* insertRows(balances, [...sums.values()].sort())
  return fresh.size > 0
}
