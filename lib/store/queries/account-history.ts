/** What the store knows of an account over time, besides its usage: requests that limits refused, and the ledger. */
import { sql } from 'kysely'
import { systemClock } from '../../base/clock.ts'
import type { Session } from '../database.ts'
import { firstIdAt } from './lookup.ts'

const DAY = 24 * 3_600_000_000
/** Milliseconds after which no further day is read. */
const MAX_MS = 1500

interface Steps {
  /** Id of the account. */
  readonly account: string
  /** Microseconds since the epoch: a multiple of `step`. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
  /** Length of a step: an hour or a day. */
  readonly step: number
}

/** What has been read, newest first. */
interface Portion {
  /** No time ran out: everything since `from` was read. Otherwise everything since `readFrom`. */
  readonly readFrom: number
}

/** Requests with status 429 per step and error code. */
export async function refusedByStep(
  { db }: Session,
  steps: Steps,
): Promise<Portion & { readonly refused: ReadonlyMap<number, Readonly<Record<string, number>>> }> {
  const refused = new Map<number, Record<string, number>>()
  const readFrom = await newestFirst(steps, async (from, to) => {
    const { rows } = await sql<{ step: number; code: string | null; requests: number }>`
      select r.created_at / ${sql.lit(steps.step)} as step, r.error_code as code, count(*) as requests
      from request_errors as r
      where r.account_id = ${steps.account} and r.id >= ${firstIdAt(from)} and r.id < ${firstIdAt(to + 1000)}
        and r.created_at >= ${from} and r.created_at < ${to} and r.status_code = 429
      group by 1, 2`.execute(db)
    for (const { step, code, requests } of rows) {
      const own = refused.get(Number(step)) ?? {}
      own[code ?? 'other'] = Number(requests)
      refused.set(Number(step), own)
    }
  })
  return { refused, readFrom }
}

/** Micro-cents that were added to a balance, without charges, and that were charged, of a step. */
interface Booked {
  readonly added: number
  readonly charged: number
}

/** The ledger per step. */
export async function bookedByStep(
  { db }: Session,
  steps: Steps,
): Promise<Portion & { readonly booked: ReadonlyMap<number, Booked> }> {
  const booked = new Map<number, Booked>()
  const readFrom = await newestFirst(steps, async (from, to) => {
    const { rows } = await sql<{ step: number; total: number; charged: number }>`
      select created_at / ${sql.lit(steps.step)} as step, sum(amount_microcents) as total,
        sum(case when kind = 'charge' then -amount_microcents else 0 end) as charged
      from credits_ledger where account_id = ${steps.account} and created_at >= ${from} and created_at < ${to}
      group by 1`.execute(db)
    for (const { step, total, charged } of rows)
      booked.set(Number(step), { added: Number(total) + Number(charged), charged: Number(charged) })
  })
  return { booked, readFrom }
}

/** Reads a day per statement, so that each is short. Returns the start of what was read. */
async function newestFirst({ from, to }: Steps, read: (from: number, to: number) => Promise<void>): Promise<number> {
  const started = systemClock.monotonic()
  for (let end = to; end > from; ) {
    const start = Math.max(from, Math.ceil(end / DAY - 1) * DAY)
    await read(start, end)
    end = start
    if (systemClock.monotonic() - started >= MAX_MS) return start
  }
  return from
}
