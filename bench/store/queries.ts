/** The measured queries: every route that reads the store, and every filter with many and with no matches. */

import type { RequestFilter } from '../../lib/store/queries/requests.ts'
import { queryRunner } from '../../lib/store/query-runner.ts'
import { storeReports } from '../../lib/store/reports.ts'
import type { Store } from '../../lib/store/store.ts'
import { pick, type Random } from '../../simulator/random.ts'
import { ACCOUNT, COMMON_TAG, DAY, DAYS, ENDPOINT, RARE_TAG, USERS } from './seed.ts'

export interface Query {
  readonly what: string
  run(): Promise<unknown>
}

const PAGE = 50
const MINUTE = 60_000_000

/** Public ids are random, so those below a bound are a sample of the whole month. */
const IDS = 500
const SAMPLE = 2 ** 42

type Bounds = Omit<RequestFilter, 'endpoint'>

/** "none match": no request has such a value. Combined bounds: each request satisfies one of the two. */
const FILTERS: readonly (readonly [string, Bounds])[] = [
  ['min_ttft_ms, half match', { min_ttft_ms: 120 }],
  ['min_ttft_ms, one in 8000', { min_ttft_ms: 1529 }],
  ['min_ttft_ms, none match', { min_ttft_ms: 600_000 }],
  ['max_ttft_ms, most match', { max_ttft_ms: 1000 }],
  ['max_ttft_ms, none match', { max_ttft_ms: 1 }],
  ['min_total_latency_ms, half match', { min_total_latency_ms: 5000 }],
  ['min_total_latency_ms, one in 5000', { min_total_latency_ms: 19_000 }],
  ['min_total_latency_ms, none match', { min_total_latency_ms: 900_000 }],
  ['max_total_latency_ms, half match', { max_total_latency_ms: 5000 }],
  ['max_total_latency_ms, none match', { max_total_latency_ms: 1 }],
  ['max_cache_hit_pct, half match', { max_cache_hit_pct: 50 }],
  ['max_cache_hit_pct, one in 10 000', { max_cache_hit_pct: 2.03 }],
  ['max_cache_hit_pct, none match', { max_cache_hit_pct: 0.5 }],
  ['min_input_tokens, half match', { min_input_tokens: 1000 }],
  ['min_input_tokens, one in 8000', { min_input_tokens: 8037 }],
  ['min_input_tokens, none match', { min_input_tokens: 500_000 }],
  ['min_ttft_ms and max_total_latency_ms, none match both', { min_ttft_ms: 1400, max_total_latency_ms: 1400 }],
  ['tag, one in 4', { tags: [COMMON_TAG] }],
  ['tag, one in 100 000', { tags: [RARE_TAG] }],
  ['tag, none', { tags: ['unheard-of'] }],
  [
    '20 tags',
    { tags: [COMMON_TAG, RARE_TAG, ...Array.from({ length: 18 }, (_, i) => `eval-${String.fromCharCode(97 + i)}`)] },
  ],
  ['tag, one in 4, and min_ttft_ms, half match', { tags: [COMMON_TAG], min_ttft_ms: 120 }],
  ['tag, one in 4, and min_ttft_ms, one in 8000', { tags: [COMMON_TAG], min_ttft_ms: 1529 }],
  ['tag, one in 4, and min_ttft_ms, none match', { tags: [COMMON_TAG], min_ttft_ms: 600_000 }],
  ['errors_only', { errors_only: true }],
  ['errors_only, tag, one in 4', { errors_only: true, tags: [COMMON_TAG] }],
  ['errors_only, tag, none', { errors_only: true, tags: ['unheard-of'] }],
]

/** `end`: end of the seeded month, in microseconds since the epoch. */
export async function queriesOf(store: Store, end: number, random: Random): Promise<readonly Query[]> {
  const reports = storeReports(queryRunner(store, store.reader))
  const list = (bounds: Bounds, cursor?: string) => {
    return reports.requests({ endpoint: ENDPOINT, ...bounds }, cursor, PAGE)
  }
  let page50: string | undefined
  for (let page = 1; page < 50; page++) page50 = (await list({}, page50)).cursor ?? undefined
  const ids = await idsOf(store)
  const usage = { account_id: ACCOUNT, endpoint: ENDPOINT, from: end - DAYS * DAY, to: end }
  return [
    { what: 'list, first page', run: () => list({}) },
    { what: 'list, page 50', run: () => list({}, page50) },
    {
      what: 'list, page at some time of the month',
      run: () => list({}, new Date((end - random() * DAYS * DAY) / 1000).toISOString()),
    },
    ...FILTERS.map(([what, bounds]) => ({ what, run: () => list(bounds) })),
    { what: 'lookup by 12 hex digits', run: () => reports.request(ENDPOINT, pick(random, ids).slice(-12)) },
    { what: 'lookup by UUID', run: () => reports.request(ENDPOINT, pick(random, ids)) },
    { what: 'lookup, unknown', run: () => reports.request(ENDPOINT, hex(random)) },
    { what: 'metrics, 60 minutes', run: () => reports.metrics(ENDPOINT, end - 60 * MINUTE, end) },
    { what: 'metrics, 10080 minutes', run: () => reports.metrics(ENDPOINT, end - 10_080 * MINUTE, end) },
    { what: 'usage/me, 30d', run: () => reports.usage({ ...usage, user_id: pick(random, USERS) }) },
    { what: 'usage/team, 30d', run: () => reports.usage(usage) },
  ]
}

/** Ids spread over the month. */
async function idsOf({ db }: Store): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('requests')
    .select('id')
    .where('endpoint', '=', ENDPOINT)
    .where('public_id', '<', SAMPLE)
    .limit(IDS)
    .execute()
  return rows.map(row => row.id)
}

function hex(random: Random): string {
  return Math.floor(random() * 2 ** 48)
    .toString(16)
    .padStart(12, '0')
}
