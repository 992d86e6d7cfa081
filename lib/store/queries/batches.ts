/** Batches of all accounts, and the lines that wait or run. */
import { sql } from 'kysely'
import type { Order } from '../../base/order.ts'
import { type BatchRow, pausedModels } from '../batches.ts'
import type { Session } from '../database.ts'
import { firstIdAt } from './lookup.ts'

interface BatchSearch {
  readonly account?: string | undefined
  readonly statuses?: readonly string[] | undefined
  /** By creation. Default: `desc`. */
  readonly order?: Order
  /** The last batch of the page before. */
  readonly last?: { readonly createdAt: number; readonly id: string } | undefined
}

/** Newest first by default. */
export function searchBatches({ db }: Session, search: BatchSearch, limit: number): Promise<BatchRow[]> {
  const { account, statuses, order = 'desc', last } = search
  const beyond = order === 'desc' ? '<' : '>'
  return db
    .selectFrom('batches')
    .selectAll()
    .$if(account !== undefined, query => query.where('account_id', '=', account!))
    .$if(statuses !== undefined, query => query.where('status', 'in', statuses!))
    .$if(last !== undefined, query =>
      query.where(({ eb, or, and }) =>
        or([
          eb('created_at', beyond, last!.createdAt),
          and([eb('created_at', '=', last!.createdAt), eb('id', beyond, last!.id)]),
        ]),
      ),
    )
    .orderBy('created_at', order)
    .orderBy('id', order)
    .limit(limit)
    .execute()
}

/** A batch of any account. */
export function batchById({ db }: Session, id: string): Promise<BatchRow | undefined> {
  return db.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Lines of an account for a model. */
export interface Backlog {
  readonly accountId: string
  readonly model: string
  readonly batches: number
  /** Lines that no process has claimed. */
  readonly queued: number
  /** Lines that processes run, or that wait in a process for spare capacity. */
  readonly inFlight: number
  /** Creation of the oldest batch, in milliseconds since the epoch. */
  readonly oldest: number
  /** Requests per second that began in the last minute. */
  readonly rate: number
}

const MINUTE_MS = 60_000

/**
 * The lines of batches that run, oldest batch first, and the models whose lines are paused. `now`: milliseconds since
 * the epoch.
 */
export async function batchBacklog(
  session: Session,
  now: number,
): Promise<{ backlog: Backlog[]; paused: readonly string[] }> {
  const { db } = session
  const running = await db
    .selectFrom('batches')
    .selectAll()
    .where('cleared', '=', 0)
    .where('status', 'in', ['in_progress', 'cancelling'])
    .orderBy('created_at')
    .execute()
  const left = new Map<string, Map<string, number>>()
  const several = running.filter(({ model }) => model === null).map(({ id }) => id)
  for (const { id, model, total, completed, failed } of running)
    left.set(id, new Map(model === null ? [] : [[model, total - completed - failed]]))
  // Counts of lines are read only where the batch does not have them.
  for (const { batch_id, model, lines } of several.length === 0 ? [] : await linesOf(session, several))
    left.get(batch_id)?.set(model, Number(lines))
  const held = await db
    .selectFrom('batch_lines')
    .select(({ fn }) => ['batch_id', 'model', fn.countAll<number>().as('lines')])
    .where('holder', 'is not', null)
    .groupBy(['batch_id', 'model'])
    .execute()
  const inFlight = new Map(held.map(({ batch_id, model, lines }) => [`${batch_id} ${model}`, Number(lines)]))
  const began = await beganSince(
    session,
    running.map(({ id }) => id),
    now - MINUTE_MS,
  )
  const sums = new Map<string, Backlog>()
  for (const { id, account_id, created_at } of running)
    for (const [model, lines] of left.get(id)!) {
      const key = `${account_id} ${model}`
      const claimed = inFlight.get(`${id} ${model}`) ?? 0
      const rate = (began.get(`${id} ${model}`) ?? 0) / (MINUTE_MS / 1000)
      const sum = sums.get(key) ?? {
        accountId: account_id,
        model,
        batches: 0,
        queued: 0,
        inFlight: 0,
        oldest: created_at,
        rate: 0,
      }
      sums.set(key, {
        ...sum,
        batches: sum.batches + 1,
        queued: sum.queued + Math.max(0, lines - claimed),
        inFlight: sum.inFlight + claimed,
        rate: sum.rate + rate,
      })
    }
  return { backlog: [...sums.values()], paused: [...(await pausedModels(session))].toSorted() }
}

/** Requests of these batches that began since a time, by batch and model. */
async function beganSince(
  { db }: Session,
  batches: readonly string[],
  since: number,
): Promise<ReadonlyMap<string, number>> {
  if (batches.length === 0) return new Map()
  const { rows } = await sql<{ batch_id: string; model: string; requests: number }>`
    select batch_id, model_resolved as model, count(*) as requests from requests
    where batch_id in (${sql.join([...batches])}) and id >= ${firstIdAt(since * 1000)}
    group by batch_id, model_resolved`.execute(db)
  return new Map(rows.map(({ batch_id, model, requests }) => [`${batch_id} ${model}`, Number(requests)]))
}

function linesOf({ db }: Session, batches: readonly string[]) {
  return db
    .selectFrom('batch_lines')
    .select(({ fn }) => ['batch_id', 'model', fn.countAll<number>().as('lines')])
    .where('batch_id', 'in', batches)
    .groupBy(['batch_id', 'model'])
    .execute()
}

/** What the stored requests of a batch say of it. */
export interface BatchRequests {
  /** Micro-cents; null: no request has a price. */
  readonly cost: number | null
  /** Requests that began at or after `since`. */
  readonly recent: number
}

/** `since`: microseconds since the epoch. */
export async function batchRequests({ db }: Session, id: string, since: number): Promise<BatchRequests> {
  const { rows } = await sql<{ cost: number | null; recent: number }>`
    select sum(cost_microcents) as cost, count(case when created_at >= ${since} then 1 end) as recent
    from requests where batch_id = ${id}`.execute(db)
  const { cost, recent } = rows[0]!
  return { cost: cost === null ? null : Number(cost), recent: Number(recent) }
}
