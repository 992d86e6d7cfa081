import type { History, Numbers, Point } from '../../lib/admin/pages/history.ts'

const NAMES = [
  ...['in_flight_mean', 'in_flight_max', 'limit', 'queue_mean', 'queue_max', 'wait_ms', 'requests', 'turned_away'],
  ...['ttft_p50_ms', 'ttft_p95_ms', 'ttft_p99_ms', 'pace_p50_ms', 'pace_p95_ms', 'states', 'failures'],
  ...['input_tokens', 'cached_tokens', 'output_tokens', 'cache_hit_pct', 'cache_fill_pct'],
  ...['predicted_ms', 'measured_ms'],
]
const NONE = Object.fromEntries(NAMES.map(name => [name, null])) as unknown as Numbers

/** A reply of the API with one point for each entry of `points`, ten minutes each, from midnight on. */
export function historyOf(points: readonly Partial<Numbers>[], more: Partial<History> = {}): History {
  const timeOf = (i: number) => new Date(Date.UTC(2027, 0, 10, 0, 10 * i)).toISOString()
  return {
    ...{ model: 'm', url: 'http://a/v1', from: timeOf(0), to: timeOf(points.length) },
    total: { ...NONE, ...points.at(-1) },
    points: points.map((one, i): Point => ({ ...NONE, ...one, at: timeOf(i) })),
    events: [],
    ...more,
  }
}
