/** The history of a backend or a model, in steps of equal length. */
import { sql } from 'kysely'
import { HISTORY_SUMS } from '../backend-minutes.ts'
import type { Session } from '../database.ts'
import type { HistoryNumbers } from '../history-columns.ts'

export interface HistoryRange {
  /** Rows of minutes or of hours. */
  readonly unit: 'minute' | 'hour'
  /** First minute or hour since the epoch. */
  readonly first: number
  /** Exclusive. */
  readonly end: number
  /** Minutes or hours per point. */
  readonly step: number
}

export interface HistoryPoint extends HistoryNumbers {
  /** Number of the step. */
  readonly point: number
  /** Minutes with data, of all backends together. */
  readonly minutes: number
}

/** The sums of each backend in the whole range, of one model or of all. Backends without data are absent. */
export async function readBackendTotals(
  { db }: Session,
  model: string | undefined,
  { unit, first, end }: HistoryRange,
): Promise<readonly (HistoryPoint & { readonly model: string; readonly backend: string })[]> {
  const time = sql.ref(unit)
  const { rows } = await sql<HistoryPoint & { readonly model: string; readonly backend: string }>`
    select model, backend, 0 as point, sum(minutes) as minutes, ${HISTORY_SUMS}
    from ${sql.table(`backend_${unit}s`)}
    where backend <> '' ${model === undefined ? sql`` : sql`and model = ${model}`}
      and ${time} >= ${first} and ${time} < ${end}
    group by model, backend`.execute(db)
  return rows
}

/** `backend` null: the sums of all backends of the model; '': the model itself. Steps without data are absent. */
export async function readHistory(
  { db }: Session,
  model: string,
  backend: string | null,
  { unit, first, end, step }: HistoryRange,
): Promise<ReadonlyMap<number, HistoryPoint>> {
  const time = sql.ref(unit)
  const point = sql`(${time} - ${sql.lit(first)}) / ${sql.lit(step)}`
  const { rows } = await sql<HistoryPoint>`
    select ${point} as point, sum(minutes) as minutes, ${HISTORY_SUMS}
    from ${sql.table(`backend_${unit}s`)}
    where model = ${model} and ${backend === null ? sql`backend <> ''` : sql`backend = ${backend}`}
      and ${time} >= ${first} and ${time} < ${end}
    group by ${point}`.execute(db)
  return new Map(rows.map(row => [row.point, row]))
}
