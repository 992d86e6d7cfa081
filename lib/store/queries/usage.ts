/**
 * Usage of accounts and users (docs/api/usage-me.md, docs/api/usage-team.md): daily totals, hourly totals at both ends
 * of a period, and records for the parts of an hour.
 */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Surface } from '../../config/surface.ts'
import type { Session } from '../database.ts'
import type { Range } from './ranges.ts'
import { accountDays, wholeParts } from './whole-days.ts'

const HOUR = 3_600_000_000
const DAY = 24 * HOUR
const PORTION_DAYS = 31

/** Absent members do not restrict. */
export interface UsageFilter extends Range {
  readonly account_id: string
  readonly user_id?: string | undefined
  /** Only the usage of this key. Used for legacy keys, which have no user. */
  readonly key_id?: string | undefined
  readonly endpoint?: string | undefined
  /** `gateway` includes its batches. */
  readonly surface?: Surface | undefined
}

export interface UsageOfPeriod {
  /** Oldest day first. */
  readonly rows: readonly UsageRow[]
  /** The period of the rows, in microseconds. An end whose records are not kept is widened to a whole hour. */
  readonly from: number
  readonly to: number
}

/** The usage of one model by one user on one day, in batches or not. */
export interface UsageRow {
  /** null: usage of keys without a user. */
  readonly user_id: string | null
  /** UTC: `2026-11-21` */
  readonly date: string
  /** null: no model was resolved. */
  readonly model: string | null
  readonly requests: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cache_read_tokens: number
  /** Characters, images or seconds of audio, as the kind of the model has them. */
  readonly units: number
  /** 1: lines of batches. 0: other requests. */
  readonly batch: number
}

/** Days are read in portions, so that each statement is short. */
export async function usageByDay(session: Session, filter: UsageFilter): Promise<UsageOfPeriod> {
  const horizon = await completeFrom(session)
  const { from, to, parts } = partsOf(filter, horizon)
  const sums = new Map<string, UsageRow>()
  const add = (rows: readonly UsageRow[]) => {
    for (const row of rows) {
      const key = JSON.stringify([row.date, row.user_id, row.model, row.batch])
      const sum = sums.get(key)
      sums.set(key, sum === undefined ? row : plus(sum, row))
    }
  }
  for (const part of parts) add(await recordedUsage(session, filter, part))
  const { hours, days } = wholeParts(Math.ceil(from / HOUR), Math.floor(to / HOUR))
  for (const [start, end] of hours) add(await totalUsage(session, filter, 'hour', start, end))
  for (let [day, end] = days; day < end; day += PORTION_DAYS) {
    add(await totalUsage(session, filter, 'day', day, Math.min(end, day + PORTION_DAYS)))
  }
  // Retention has removed records during the queries.
  if (parts.length > 0 && (await completeFrom(session)) !== horizon) return usageByDay(session, filter)
  const byDay = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  return { rows: byDay, from, to }
}

/** The period to cover, and its parts that are not whole hours. */
function partsOf({ from, to }: Range, horizon: number): Range & { readonly parts: readonly Range[] } {
  const isKept = (time: number) => time >= horizon
  const first = Math.ceil(from / HOUR) * HOUR
  const last = Math.floor(to / HOUR) * HOUR
  const start = first === from || isKept(from) ? from : first - HOUR
  const end = last === to || isKept(Math.max(from, last)) ? to : last + HOUR
  if (first > last && start === from && end === to) return { from, to, parts: [{ from, to }] }
  const parts = [
    { from: start, to: Math.ceil(start / HOUR) * HOUR },
    { from: Math.floor(end / HOUR) * HOUR, to: end },
  ]
  return { from: start, to: end, parts: parts.filter(part => part.from < part.to) }
}

async function completeFrom({ db }: Session): Promise<number> {
  const row = await db.selectFrom('record_horizon').select('complete_from').executeTakeFirst()
  return row?.complete_from ?? 0
}

function plus(a: UsageRow, b: UsageRow): UsageRow {
  return {
    ...a,
    requests: a.requests + b.requests,
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_read_tokens: a.cache_read_tokens + b.cache_read_tokens,
    units: a.units + b.units,
  }
}

/** Usage of the hours or days from `from` to `to`, which is exclusive. */
async function totalUsage(
  session: Session,
  filter: UsageFilter,
  unit: 'hour' | 'day',
  from: number,
  to: number,
): Promise<UsageRow[]> {
  const count = sql.ref(unit)
  const day = unit === 'day' ? sql`day` : sql`hour / 24`
  const isWhole = FILTERS.every(column => filter[column] === undefined)
  const table = unit === 'hour' ? 'usage_hours' : isWhole ? accountDays(session) : 'usage_days'
  const { rows } = await sql<Sums>`
    select user_id, model, batch, ${day} as day, sum(requests) as requests, sum(input_tokens) as input_tokens,
      sum(output_tokens) as output_tokens, sum(cache_read_tokens) as cache_read_tokens, sum(units) as units
    from ${sql.table(table)}
    where account_id = ${filter.account_id} and ${count} >= ${from} and ${count} < ${to} and ${matches(filter)}
    group by user_id, model, batch, ${day}`.execute(session.db)
  return rows.map(toUsageRow)
}

/** The condition on a record that it counts as usage, as rollups.ts counts it. */
export const IS_SERVED = sql<SqlBool>`dispatched = true and
  (status_code < 400 or input_tokens > 0 or output_tokens > 0 or cache_read_tokens > 0
    or units > 0)`

/** Usage of less than an hour, from its records. */
async function recordedUsage({ db }: Session, filter: UsageFilter, { from, to }: Range): Promise<UsageRow[]> {
  const day = sql<number>`created_at / ${sql.lit(DAY)}`
  const batch = sql<number>`case when surface = 'batch' then 1 else 0 end`
  const rows = await db
    .selectFrom('requests')
    .select(['user_id', 'model_resolved as model', day.as('day'), batch.as('batch')])
    .select(({ fn }) => fn.countAll<number>().as('requests'))
    .select(AMOUNTS.map(column => sumOf(column).as(column)))
    .where('account_id', '=', filter.account_id)
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where(IS_SERVED)
    .where(matches(filter))
    .groupBy(['user_id', 'model_resolved', day, batch])
    .execute()
  return rows.map(toUsageRow)
}

export const AMOUNTS = ['input_tokens', 'output_tokens', 'cache_read_tokens', 'units'] as const

/** The sum of a count of records. An unknown count is 0. */
export function sumOf(column: (typeof AMOUNTS)[number]): RawBuilder<number> {
  return sql`sum(case when ${sql.ref(column)} > 0 then ${sql.ref(column)} else 0 end)`
}

/** Members of the filter that are columns. Without any of them, it is the usage of a whole account. */
const FILTERS = ['user_id', 'key_id', 'endpoint', 'surface'] as const

function matches(filter: UsageFilter): Expression<SqlBool> {
  let condition = sql<SqlBool>`true`
  for (const column of FILTERS) {
    const value = filter[column]
    if (value === undefined) continue
    const values = value === 'gateway' && column === 'surface' ? ['gateway', 'batch'] : [value]
    condition = sql<SqlBool>`${condition} and ${sql.ref(column)} in (${sql.join(values)})`
  }
  return condition
}

type Sums = Omit<UsageRow, 'date'> & { readonly day: number }

function toUsageRow({ user_id, model, day, ...sums }: Sums): UsageRow {
  return {
    user_id: user_id || null,
    date: new Date(day * 86_400_000).toISOString().slice(0, 10),
    model: model || null,
    ...sums,
  }
}

interface ModelUsageFilter {
  readonly account: string
  /** Id of a key of the account; undefined: all keys. */
  readonly key: string | undefined
  /** Id of a model; undefined: all models. */
  readonly model?: string | undefined
  /** Hours since the epoch. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

interface ModelUsage
  extends Pick<UsageRow, 'input_tokens' | 'output_tokens' | 'cache_read_tokens' | 'units' | 'batch'> {
  readonly model: string
}

/** Tokens by model, in batches or not, from hourly totals. */
export async function modelUsage({ db }: Session, filter: ModelUsageFilter): Promise<ModelUsage[]> {
  let query = db
    .selectFrom('usage_hours')
    .select(['model', 'batch'])
    .select(({ fn }) => [
      fn.sum<number>('input_tokens').as('input_tokens'),
      fn.sum<number>('output_tokens').as('output_tokens'),
      fn.sum<number>('cache_read_tokens').as('cache_read_tokens'),
      fn.sum<number>('units').as('units'),
    ])
    .where('account_id', '=', filter.account)
    .where('hour', '>=', filter.from)
    .where('hour', '<', filter.to)
  if (filter.key !== undefined) query = query.where('key_id', '=', filter.key)
  if (filter.model !== undefined) query = query.where('model', '=', filter.model)
  return query.groupBy(['model', 'batch']).execute()
}
