import { randomUUID } from 'node:crypto'
import type { Account } from '../accounts/access.ts'
import type { JsonObject } from '../base/json.ts'
import { centsOf, microcentsOf } from '../base/money.ts'
import { sha256 } from '../base/sha256.ts'
import { toIso } from '../base/time.ts'
import { fail } from '../errors/errors.ts'
import { bookCredits, creditBalance, findEntry, isLedgerCursor, listLedger, listLedgerDays } from '../store/credits.ts'
import type { CreditEntry } from '../store/ledger.ts'
import { accountOf, refuseErased } from './accounts.ts'
import { type AdminContext, audited } from './context.ts'
import { microsOf, refuseValue } from './values.ts'

/** A body that `schemas/admin/credit.json` accepts. */
export interface CreditBody {
  readonly amount_cents: number
  readonly note?: string
}

export async function balanceCents(context: Pick<AdminContext, 'store'>, account: Account): Promise<number | null> {
  const balance = await balanceOf(context, account)
  return balance === null ? null : centsOf(balance)
}

/** Micro-cents; null: the account is not prepaid. */
async function balanceOf({ store }: Pick<AdminContext, 'store'>, account: Account): Promise<number | null> {
  if (account.creditsCents === undefined) return null
  return microcentsOf(account.creditsCents) + (await creditBalance(store, account.id))
}

/** A query that `schemas/admin/ledger-query.json` accepts. */
export interface LedgerQuery extends LedgerDaysQuery {
  readonly limit: number
  readonly from?: string
  readonly to?: string
}

/** A query that `schemas/admin/ledger-days-query.json` accepts. */
export interface LedgerDaysQuery {
  readonly cursor?: string | undefined
}

export async function creditsOf(
  context: AdminContext,
  accountId: string,
  { limit, cursor, from, to }: LedgerQuery,
): Promise<JsonObject> {
  refuseCursor(cursor)
  const account = await accountOf(context, accountId)
  const filter = { accountId: account.id, cursor, from: microsOf(from), to: microsOf(to) }
  const { entries, ...rest } = await listLedger(context.store, filter, limit)
  return { ...(await balanceJson(context, account)), ledger: entries.map(entryJson), ...rest }
}

/** The ledger with one row for the charges of each day. */
export async function creditDaysOf(
  context: AdminContext,
  accountId: string,
  { cursor }: LedgerDaysQuery,
): Promise<JsonObject> {
  refuseCursor(cursor)
  const account = await accountOf(context, accountId)
  const { entries, ...rest } = await listLedgerDays(context.store, { accountId: account.id, cursor })
  const days = entries.map(({ day, kind, entries: number, amount_microcents: amount, note, first_at, last_at }) => ({
    day: toIso(day * DAY_MICROS).slice(0, 10),
    ...{ kind, entries: number, amount_cents: centsOf(amount), note, from: toIso(first_at), to: toIso(last_at) },
  }))
  return { ...(await balanceJson(context, account)), days, ...rest }
}

const DAY_MICROS = 86_400_000_000

function refuseCursor(cursor: string | undefined): void {
  if (cursor !== undefined && !isLedgerCursor(cursor)) refuseValue('cursor', 'is not that of a page')
}

async function balanceJson(context: AdminContext, account: Account) {
  const balance = await balanceCents(context, account)
  return { account_id: account.id, account_name: account.name, balance_cents: balance }
}

/** Books an amount, also a negative one, once per `idempotencyKey`. A repetition must have the same amount and note. */
export async function addCredits(
  context: AdminContext,
  accountId: string,
  { amount_cents: amount, note }: CreditBody,
  idempotencyKey?: string,
): Promise<JsonObject> {
  const account = await accountOf(context, accountId)
  refuseErased(account)
  if (account.creditsCents === undefined) {
    fail('http_400', { problem: 'The account is not prepaid: set its credits_cents first, 0 is enough.' })
  }
  if (amount === 0) refuseValue('amount_cents', 'must not be 0')
  const entry: CreditEntry = {
    request_id: idempotencyKey === undefined ? randomUUID() : `idem_${sha256(`${account.id}\n${idempotencyKey}`)}`,
    account_id: account.id,
    amount_microcents: microcentsOf(amount),
    kind: 'top-up',
    created_at: context.now,
    ...(note === undefined ? null : { note }),
  }
  return audited(context, async session => {
    const own = { ...context, store: session }
    const isNew = await bookCredits(session, [entry])
    const booked = (await findEntry(session, entry.request_id))!
    if (booked.amount_microcents !== entry.amount_microcents || booked.note !== (note ?? null)) {
      const problem = 'This Idempotency-Key has been used for another change: use a new one.'
      fail('http_400', { problem }, { param: 'Idempotency-Key', ownParam: true })
    }
    const balance = (await balanceOf(own, account))!
    const change = {
      action: 'credits.add',
      target: account.id,
      account: account.id,
      // Computed, because another process may book between two reads.
      before: { balance_cents: centsOf(balance - entry.amount_microcents) },
      after: { balance_cents: centsOf(balance), amount_cents: amount, note: note ?? null },
    }
    const result = {
      account_id: account.id,
      account_name: account.name,
      balance_cents: centsOf(balance),
      entry: entryJson(booked),
    }
    return { change: isNew ? change : undefined, result }
  })
}

function entryJson(entry: Awaited<ReturnType<typeof findEntry>> & object): JsonObject {
  return {
    id: entry.request_id,
    created_at: toIso(entry.created_at),
    kind: entry.kind,
    amount_cents: centsOf(entry.amount_microcents),
    note: entry.note,
  }
}
