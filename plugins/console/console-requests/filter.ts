/** The filter of the list of requests, from the query of its page. */
import type { AccountRequestFilter } from '../../../lib/console.ts'

export const SPANS = [
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
] as const

const HOUR_MICROS = 3_600_000_000
const MINUTE_MICROS = 60_000_000
const HOURS: Readonly<Record<(typeof SPANS)[number][0], number>> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 }

/** Values of the filter's form. */
export interface Selection {
  readonly model: string
  readonly status: string
  /** Id of a key; empty: all. */
  readonly key: string
  /** Hash of a session; empty: all. */
  readonly session: string
  /** Id of a batch; empty: all. */
  readonly batch: string
  readonly since: (typeof SPANS)[number][0]
  /** A time; the list then has the half minutes before and after it. Empty: `since` decides. */
  readonly around: string
  readonly errors: boolean
  readonly cursor: string | undefined
}

export function selectionOf(query: URLSearchParams): Selection {
  return {
    model: query.get('model') ?? '',
    status: query.get('status') ?? '',
    key: query.get('key') ?? '',
    session: query.get('session') ?? '',
    batch: query.get('batch') ?? '',
    since: SPANS.find(([value]) => value === query.get('since'))?.[0] ?? '24h',
    around: query.get('around') ?? '',
    errors: query.get('errors') === '1',
    cursor: query.get('cursor') ?? undefined,
  }
}

/** The filter, or a message about an invalid value. `now`: microseconds since the epoch. */
export function filterOf(
  { model, status, key, session, batch, since, around, errors, cursor }: Selection,
  now: number,
): Omit<AccountRequestFilter, 'account' | 'user'> | string {
  if (status !== '' && !/^[1-5]\d\d$/.test(status)) return 'The status must be a number of three digits, such as 429.'
  const at = Date.parse(around) * 1000
  return {
    ...(Number.isNaN(at)
      ? { since: now - HOURS[since] * HOUR_MICROS }
      : { since: at - MINUTE_MICROS / 2, until: at + MINUTE_MICROS / 2 }),
    ...(model !== '' && { model }),
    ...(status !== '' && { status: Number(status) }),
    ...(key !== '' && { key }),
    ...(session !== '' && { session }),
    ...(batch !== '' && { batch }),
    ...(errors && { errors }),
    ...(cursor !== undefined && { cursor }),
  }
}

/** The query of a link to the same selection, without its cursor. */
export function queryOf(
  { model, status, key, session, batch, since, around, errors }: Selection,
  more: Readonly<Record<string, string>>,
): string {
  const all = { model, status, key, session, batch, since, around, errors: errors ? '1' : '', ...more }
  return new URLSearchParams(Object.entries(all).filter(([, value]) => value !== '')).toString()
}
