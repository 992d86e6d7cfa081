/** The attempts of a request: where each was sent and why, and how it ended, in words. */
import { STATUS_CODES } from 'node:http'
import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { AttemptOutcome, RouteReason } from '../../core/upstream.ts'
import { type Html, html } from '../../pages/html.ts'
import { addressHtml } from '../../pages/parts.ts'
import { htmlTable } from '../../pages/table.ts'
import { backendLink, modelLink, sessionHref } from './links.ts'
import { millisText, NOTHING, numberText, textOf } from './text.ts'

const REASONS: Readonly<Record<RouteReason, string>> = {
  prefix: 'most of the prompt in its cache (policy cost)',
  load: 'answers sooner than the backend with most of the prompt in its cache (policy cost)',
  new: 'earliest first token; no backend had any of the prompt in its cache (policy cost)',
  single: 'the only backend that could take it',
  least_load: 'fewest requests for its weight (policy least_load)',
  spare: 'capacity to spare for a line of a batch',
  reduced: 'all backends were ejected; this one was tried again',
}

const OUTCOMES: Readonly<Record<Exclude<AttemptOutcome, 'ok'>, string>> = {
  refused: 'refused the request',
  failed: 'failed',
  timeout: 'sent nothing in time',
  unreachable: 'no connection could be opened',
  cancelled: 'ended by the client or the gateway',
}

export function attemptsOf({ attempt_list: list }: JsonObject): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** How an attempt ended: `answered`, or the reason of its failure. */
export function resultText({ reason }: JsonObject): string {
  if (reason === null) return 'answered'
  const text = textOf(reason)
  const outcome = (OUTCOMES as Readonly<Record<string, string>>)[text]
  return outcome ?? text.replace(/^status (\d{3})/, (_, status: string) => `answered ${statusText(status)}`)
}

/** `503 Service Unavailable` */
export function statusText(status: string): string {
  const name = STATUS_CODES[status]
  return name === undefined ? status : `${status} ${name}`
}

/** The requests to backends. null: there was none. */
export function attemptTable(request: JsonObject): Html | null {
  const attempts = attemptsOf(request)
  if (attempts.length === 0) return null
  const rows = attempts.map((attempt, i) => [
    String(i + 1),
    backendCell(attempt, request),
    attempt.reason === null ? resultText(attempt) : html`<span class="error">${resultText(attempt)}</span>`,
    typeof attempt.routed === 'string' ? (REASONS[attempt.routed as RouteReason] ?? attempt.routed) : NOTHING,
    comparedText(attempt.predicted_ms, request.is_streaming === true ? attempt.first_token_ms : null, millisText),
    comparedText(attempt.predicted_cached_tokens, attempt.cached_tokens, numberText),
    numberText(attempt.prompt_tokens),
    numberText(attempt.tokens),
    millisText(attempt.ms),
  ])
  const heads = ['#', 'Backend', 'Result', 'Why there', 'First token#', 'Cached tokens#', 'Prompt#', 'Output#', 'Time#']
  return html`<h2>Attempts</h2>
${htmlTable('Requests to backends', heads, rows)}
<p class="soft">First token and cached tokens: as measured, after what routing predicted.${sessionText(request)}</p>`
}

/** `250 ms → 310 ms`: predicted and measured. */
function comparedText(predicted: Json | undefined, measured: Json | undefined, text: (value: Json) => string): string {
  const shown = typeof measured === 'number' ? text(measured) : NOTHING
  return typeof predicted === 'number' ? `${text(predicted)} → ${shown}` : shown
}

function backendCell({ backend, model }: JsonObject, request: JsonObject): Html | string {
  if (typeof backend !== 'string') return NOTHING
  const served = model ?? request.model_resolved
  const isFallback = typeof model === 'string' && model !== request.model_resolved
  const link = typeof served === 'string' ? backendLink(served, backend) : addressHtml(backend)
  return html`${link}${isFallback && html`<br><small>model ${modelLink(model)}</small>`}`
}

/** A session is a hint for routing (docs/ROUTING.md#sessions). */
function sessionText({ account_id: account, session }: JsonObject): Html | null {
  if (typeof session !== 'string') return null
  return html` The request names a <a href="${sessionHref(session, account)}">session</a>, a hint that connects it to earlier requests.`
}
