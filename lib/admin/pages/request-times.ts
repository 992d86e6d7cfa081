/** The waterfall of a request: gateway, queue, each attempt, and the parts of the last one. */
import type { Json, JsonObject } from '../../base/json.ts'
import { type Html, html } from '../../pages/html.ts'
import { addressHtml } from '../../pages/parts.ts'
import { htmlWaterfall, type Span } from '../../pages/waterfall.ts'
import { attemptsOf, resultText } from './request-attempts.ts'
import { millisText } from './text.ts'

export function timeline(request: JsonObject): Html {
  const total = numberOf(request.total_latency_ms)
  if (total === 0) return html`<p>Total time: less than a millisecond.</p>`
  const spans = spansOf(request, total)
  return html`<h2>Total time: ${millisText(total)}</h2>
${htmlWaterfall({ caption: 'Parts of the time, in their order', spans, total })}`
}

/** Spans of known times, without empty ones. Times are rounded and from different clocks: they are made to fit. */
function spansOf(request: JsonObject, total: number): readonly Span[] {
  const within = (low: number, ms: number, high: number) => Math.max(low, Math.min(ms, high))
  // Records of older versions do not have the starts of attempts.
  const attempts = attemptsOf(request).filter(({ started_ms: start }) => typeof start === 'number')
  const last = attempts.at(-1)
  const backendMs = Math.min(numberOf(request.duration_ms), total)
  const end = last === undefined ? total : within(0, numberOf(last.started_ms) + numberOf(last.ms), total)
  const begin = within(0, end - backendMs, end)
  const queued = within(0, begin - numberOf(request.queue_ms), begin)
  const lastStart = within(begin, numberOf(last?.started_ms ?? begin), end)
  const head = within(lastStart, begin + numberOf(request.first_byte_ms), end)
  const first = within(head, numberOf(request.ttft_ms), end)
  const hasAnswer = backendMs > 0 && typeof request.first_byte_ms === 'number'
  const isAnswered = hasAnswer && (last === undefined || last.reason === null || numberOf(request.status_code) < 400)
  const spans: readonly Span[] = [
    { name: 'Gateway', kind: 'gateway', from: 0, to: queued, what: 'key, limits and checks' },
    { name: 'Queue', kind: 'wait', from: queued, to: begin, what: 'until a backend had room' },
    ...attempts.map((attempt, i): Span => {
      const from = within(begin, numberOf(attempt.started_ms), end)
      const kind = attempt.reason === null ? 'attempt' : 'failed'
      const name = html`Attempt ${i + 1}: ${addressHtml(String(attempt.backend))}`
      return { name, kind, from, to: within(from, from + numberOf(attempt.ms), end), what: resultText(attempt) }
    }),
    ...(hasAnswer ? [part('First byte', 'backend', lastStart, head, 'until the backend began to answer')] : []),
    ...(isAnswered ? [part('First token', 'first', head, first, 'until its first token')] : []),
    ...(isAnswered ? [part('Tokens', 'tokens', first, end, tokensText(request))] : []),
    { name: 'Gateway, at the end', kind: 'gateway', from: end, to: total, what: 'writing to the client' },
  ]
  return spans.filter(({ from, to }) => to > from)
}

function part(name: string, kind: Span['kind'], from: number, to: number, what: string): Span {
  return { name, kind, from, to, what, isPart: true }
}

function tokensText({ stall_count: count, stream_error_type: broken }: JsonObject): string {
  const stalls = numberOf(count)
  const stalled = stalls === 0 ? '' : `, with ${stalls === 1 ? 'a stall' : `${stalls} stalls`} of more than a second`
  return `from the first token ${typeof broken === 'string' ? 'until the stream broke' : 'to the end'}${stalled}`
}

function numberOf(value: Json | undefined): number {
  return typeof value === 'number' ? Math.max(0, value) : 0
}
