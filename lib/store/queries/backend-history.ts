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
