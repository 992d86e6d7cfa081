/** What the pages of a backend and of a model plot, and the numbers at their top. */
import type { Html } from '../../pages/html.ts'
import { html } from '../../pages/html.ts'
import {
  FAILURES,
  failuresOf,
  type History,
  type HistoryPlot,
  type Line,
  type Numbers,
  type Point,
  STATES,
  unitText,
} from './history.ts'
import { millisText, numberText } from './text.ts'

const TTFT: HistoryPlot = {
  title: 'Time to the first token',
  unit: 'ms',
  lines: [
    // The wide line first, so that p50 is visible where both are equal.
    ['p95', point => point.ttft_p95_ms, true],
    ['p99', point => point.ttft_p99_ms],
    ['p50', point => point.ttft_p50_ms],
  ],
}

const PACE: HistoryPlot = {
  title: 'Time per token',
  unit: 'ms',
  lines: [
    ['p95', point => point.pace_p95_ms, true],
    ['p50', point => point.pace_p50_ms],
  ],
}

const LOAD: HistoryPlot = {
  title: 'Requests in flight',
  lines: [
    ['At most', point => point.in_flight_max, true],
    ['Limit', point => point.limit],
    ['Mean', point => point.in_flight_mean],
  ],
}

const QUEUE: HistoryPlot = {
  title: 'Queue of the model',
  zeroIsGap: true,
  lines: [
    ['At most', point => point.queue_max, true],
    ['Mean', point => point.queue_mean],
  ],
}

const WAIT: HistoryPlot = {
  title: 'Mean wait for a backend',
  unit: 'ms',
  zeroIsGap: true,
  lines: [['Mean', point => point.wait_ms]],
}

const CACHE: HistoryPlot = {
  title: 'Prefix cache',
  unit: '%',
  lines: [
    ['Tokens from the cache', point => point.cache_hit_pct],
    ['Full, as routing believes', point => point.cache_fill_pct],
  ],
}

const PREDICTED: HistoryPlot = {
  title: 'First token, predicted and measured',
  unit: 'ms',
  lines: [
    ['Predicted', point => point.predicted_ms],
    ['Measured', point => point.measured_ms],
  ],
}

const SATURATION: HistoryPlot = {
  title: 'Saturation',
  unit: '%',
  lines: [['In flight ÷ limit', point => saturationOf(point)]],
}

/** The plots of a backend. */
export function backendPlots(history: History): readonly HistoryPlot[] {
  const { states, traffic, failures, tokens } = changing(history)
  return [states, TTFT, PACE, LOAD, QUEUE, WAIT, traffic, failures, tokens, CACHE, PREDICTED]
}

/** The plots of a model. */
export function modelPlots(history: History): readonly HistoryPlot[] {
  const { states, traffic, failures, tokens } = changing(history)
  return [traffic, LOAD, SATURATION, QUEUE, WAIT, TTFT, PACE, failures, tokens, CACHE, PREDICTED, states]
}

/** Plots whose lines depend on what has occurred, or whose numbers depend on the length of a step. */
function changing({ url, from, to, total, points }: History) {
  const minutes = (Date.parse(to) - Date.parse(from)) / points.length / 60_000
  const per = (read: (point: Point) => number | null, length: number) => (point: Point) => {
    const value = read(point)
    return value === null ? null : value / length
  }
  const states: HistoryPlot = {
    title: url === null ? 'State of the backends, share of time' : 'State, share of time',
    unit: '%',
    lines: STATES.filter(state => state === 'up' || (total.states?.[state] ?? 0) > 0).map(
      (state): Line => [state, point => shareOf(point, state)],
    ),
  }
  const traffic: HistoryPlot = {
    title: 'Requests per minute',
    zeroIsGap: true,
    lines: [
      ['Sent', per(point => point.requests, minutes)],
      ['No backend could take', per(point => (url === null ? point.turned_away : null), minutes)],
    ],
  }
  const failures: HistoryPlot = {
    title: 'Failures by kind',
    zeroIsGap: true,
    lines: FAILURES.filter(kind => (total.failures?.[kind] ?? 0) > 0).map(
      (kind): Line => [kind, point => point.failures?.[kind] ?? null],
    ),
  }
  const tokens: HistoryPlot = {
    title: 'Tokens per second',
    zeroIsGap: true,
    lines: [
      ['Input', per(point => point.input_tokens, minutes * 60)],
      ['Cached', per(point => point.cached_tokens, minutes * 60)],
      ['Output', per(point => point.output_tokens, minutes * 60)],
    ],
  }
  return { states, traffic, failures, tokens }
}

/** In percent. A state other than `up` has a gap where it did not occur. */
function shareOf({ states }: Point, state: (typeof STATES)[number]): number | null {
  const share = states && states[state] * 100
  return state === 'up' ? share : share || null
}

/** Cards of the whole time. `hrefOf`: the list of requests with more filters. */
export function totalCards(
  total: Numbers,
  hrefOf: (more: Readonly<Record<string, string>>) => string,
): (readonly [name: string, value: Html | string])[] {
  const failed = failuresOf(total)
  const failures = html`<span${(failed ?? 0) > 0 && html` class="error"`}>${numberText(failed)}</span>`
  return [
    [
      'Requests',
      html`<a href="${hrefOf({})}">${numberText(total.requests)}</a><small><a href="${hrefOf({ status: 'errors' })}">${failures} failed</a></small>`,
    ],
    ['TTFT p50', html`${millisText(total.ttft_p50_ms)}<small>p95 ${millisText(total.ttft_p95_ms)}</small>`],
    [
      'Time per token',
      html`${unitText(total.pace_p50_ms, 'ms')}<small>p95 ${unitText(total.pace_p95_ms, 'ms')}</small>`,
    ],
    [
      'In flight',
      html`${numberText(total.in_flight_mean, 1)}<small>at most ${numberText(total.in_flight_max)}, ${total.limit === null ? 'no limit' : `limit ${numberText(total.limit)}`}</small>`,
    ],
    [
      'Cache hit',
      html`${unitText(total.cache_hit_pct, '%')}<small>of ${numberText(total.input_tokens)} tokens</small>`,
    ],
    ['Up', html`${unitText(total.states && total.states.up * 100, '%')}<small>of the time</small>`],
  ]
}

/** Percentage of the limit that is in use; null: there is no limit. */
export function saturationOf({ in_flight_mean: mean, limit }: Numbers): number | null {
  return mean === null || limit === null || limit === 0 ? null : (mean / limit) * 100
}
