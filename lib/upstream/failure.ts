import type { IncomingHttpHeaders } from 'node:http'
import type { ModelConfig } from '../config/config.ts'
import type { BackendProfile } from '../config/profile.ts'
import { failure, type GatewayError, toGatewayError } from '../errors/errors.ts'
import { contextExceeded, overflowOf, roomOf } from './context.ts'
import { type BackendError, bodyError } from './decode/error.ts'
import { concurrencyOf, limitHeaders, retryAfterOf } from './limit-headers.ts'
import { isParameter, scrubbed } from './scrub.ts'

/** What a failed attempt means for the client, for the next attempt and for the backend. */
export interface BackendFailure {
  readonly error: GatewayError
  /** Whether another backend may be tried, as long as the client has been sent nothing. */
  readonly retry: 'elsewhere' | 'no'
  /** Counts towards the backend's ejection. */
  readonly penalise: boolean
  /** The backend called itself out of service: where no other is left to try, the answer is no_healthy_backends. */
  readonly unavailable?: boolean
  /** Where only max_tokens is too large: with this, or for `rest` without any, the same backend will take the request. */
  readonly room?: number | 'rest'
}

export interface FailureContext {
  readonly model: ModelConfig
  readonly profile: BackendProfile
  /** Models that may be suggested instead: those the client may use. */
  readonly models: readonly ModelConfig[]
}

/** An answer that is no success, its body as text. */
export interface BackendAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bodyText: string
}

/** A backend's error response, by the table of docs/DESIGN.md#backend-errors. */
export function backendFailure(answer: BackendAnswer, context: FailureContext): BackendFailure {
  const said = bodyError(answer.bodyText)
  const words = said === undefined ? answer.bodyText.slice(0, MAX_WORDS) : `${said.message} ${said.labels}`
  const signal = { status: answer.status, said, words, retryAfter: retryAfterOf(answer.headers), inBand: false }
  return classify(signal, context)
}

/** An error inside a 200 answer: its code stands for the status. */
export function inBandFailure(said: BackendError, context: FailureContext): BackendFailure {
  const words = `${said.message} ${said.labels}`
  return classify({ status: said.status, said, words, retryAfter: undefined, inBand: true }, context)
}

/** A reply that cannot be used. `cause` names what is wrong with it, never what it says. */
export function brokenReply(model: ModelConfig, cause: string): BackendFailure {
  return { error: httpError(model, { problem: cause }), retry: 'no', penalise: true }
}

/** No connection could be opened, or it broke before an answer began. */
export function connectFailure(model: ModelConfig, cause: unknown): BackendFailure {
  const error = failure('backend_connect_error', { model: model.id }, { cause })
  return { error, retry: 'elsewhere', penalise: true }
}

/** A stage, an encoder or a format gave up: no fault of the backend. */
export function ownFailure(thrown: unknown): BackendFailure {
  return { error: toGatewayError(thrown), retry: 'no', penalise: false }
}

/** The backend took the request and was silent for too long. A second run would cost as much again. */
export function timeoutFailure(model: ModelConfig): BackendFailure {
  const error = failure('backend_timeout', { model: model.id }, { extra: { model: model.id } })
  return { error, retry: 'no', penalise: true }
}

const MAX_WORDS = 2000

/** What classify() looks at, wherever it came from. */
interface Signal {
  /** undefined: an in-band error that says nothing of the kind. */
  readonly status: number | undefined
  readonly said: BackendError | undefined
  /** What the patterns of the profile are compared with. */
  readonly words: string
  readonly retryAfter: number | undefined
  readonly inBand: boolean
}

function classify(signal: Signal, context: FailureContext): BackendFailure {
  const { status, said, words, inBand } = signal
  const { model, profile } = context
  if (status === 429 || status === 529) return full('backend_overloaded', signal, model)
  if ((status === 503 || inBand) && matches(words, profile.queue_full_patterns)) {
    return full('backend_at_capacity', signal, model)
  }
  if (said !== undefined && isRefusal(status)) {
    if (matches(words, profile.context_patterns)) return tooLong(said, context)
    if (status !== 413 && status !== undefined && said.message !== '') return rejected(said, model)
  }
  if (status === 500 && said !== undefined && matches(words, profile.refusal_patterns)) return rejected(said, model)
  const error = httpError(model, { status })
  return { error, ...(status === undefined ? OWN_FAULT : (FAULTS[status] ?? OWN_FAULT)) }
}

type Fault = Omit<BackendFailure, 'error'>

/** A generation may have failed halfway: the next backend would fail the same way, or the same tokens be paid for twice. */
const OWN_FAULT: Fault = { retry: 'no', penalise: true }

/** Quick answers of a server that did not begin to work: wrong key, unknown model, dead behind its proxy, starting up. */
const ELSEWHERE: Fault = { retry: 'elsewhere', penalise: true }

const FAULTS: Readonly<Record<number, Fault>> = {
  400: { retry: 'no', penalise: false },
  422: { retry: 'no', penalise: false },
  413: { retry: 'no', penalise: false },
  401: ELSEWHERE,
  403: ELSEWHERE,
  404: ELSEWHERE,
  502: ELSEWHERE,
  503: { ...ELSEWHERE, unavailable: true },
}

/** Statuses under which a backend says what is wrong with the request itself. */
function isRefusal(status: number | undefined): boolean {
  return status === undefined || status === 400 || status === 413 || status === 422
}

function matches(words: string, patterns: readonly string[]): boolean {
  const lower = words.toLowerCase()
  return patterns.some(pattern => lower.includes(pattern.toLowerCase()))
}

/** Refused in a moment, and no sign of ill health: another backend may have room. */
function full(code: 'backend_overloaded' | 'backend_at_capacity', signal: Signal, model: ModelConfig): BackendFailure {
  const headers = limitHeaders(concurrencyOf(model), signal.retryAfter)
  return { error: failure(code, { model: model.id }, { headers }), retry: 'elsewhere', penalise: false }
}

function tooLong(said: BackendError, { model, models }: FailureContext): BackendFailure {
  const overflow = overflowOf(said, model)
  const error = contextExceeded(overflow, model, models)
  const room = roomOf(overflow)
  return { error, retry: 'no', penalise: false, ...(room !== undefined && { room }) }
}

/** Positions in the body that was sent on: in the client's own, messages and tools may stand elsewhere. */
const INDEX = /(?:\.|\[)\d.*/

function rejected(said: BackendError, model: ModelConfig): BackendFailure {
  const reason = scrubbed(said.message)
  const problem =
    reason === '' ? `Model '${model.id}' refused the request.` : `Model '${model.id}' refused the request: ${reason}`
  const param = said.param !== undefined && isParameter(said.param) ? said.param.replace(INDEX, '') : undefined
  return { error: failure('model_request_rejected', { problem }, { param }), retry: 'no', penalise: false }
}

function httpError(model: ModelConfig, cause: object): GatewayError {
  return failure('backend_http_error', { model: model.id }, { extra: { model: model.id }, cause })
}
