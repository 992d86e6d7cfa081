import type { IncomingHttpHeaders } from 'node:http'
import type { ModelConfig } from '../config/config.ts'
import type { BackendProfile } from '../config/profile.ts'
import { failure, type GatewayError, toGatewayError } from '../errors/errors.ts'
import { contextExceeded, overflowOf, roomOf } from './context.ts'
import { type BackendError, bodyError } from './decode/error.ts'
import { concurrencyOf, limitHeaders, retryAfterOf } from './limit-headers.ts'
import { isParameter, scrubbed } from './scrub.ts'

/** A failed attempt: the error for the client, whether to retry, and whether the backend is at fault. */
export interface BackendFailure {
  readonly error: GatewayError
  /** Whether another backend may be tried, as long as the client has been sent nothing. */
  readonly retry: 'elsewhere' | 'no'
  /** Counts towards the backend's ejection. */
  readonly penalise: boolean
  /** The backend reports itself out of service: if no other is left to try, the error is no_healthy_backends. */
  readonly unavailable?: boolean
  /** Only max_tokens is too large: the same backend accepts this value, or for `rest` a request without the member. */
  readonly room?: number | 'rest'
}

export interface FailureContext {
  readonly model: ModelConfig
  readonly profile: BackendProfile
  /** Models that the client may use, to suggest instead. */
  readonly models: readonly ModelConfig[]
}

/** A response with another status than 200, and its body as text. */
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

/** An in-band error of a 200 response: its code takes the place of the status. */
export function inBandFailure(said: BackendError, context: FailureContext): BackendFailure {
  const words = `${said.message} ${said.labels}`
  return classify({ status: said.status, said, words, retryAfter: undefined, inBand: true }, context)
}

/** A reply that cannot be used. `cause` names the fault without any content of the reply. */
export function brokenReply(model: ModelConfig, cause: string): BackendFailure {
  return { error: httpError(model, { problem: cause }), retry: 'no', penalise: true }
}

/** No connection could be opened, or it broke before the response head. */
export function connectFailure(model: ModelConfig, cause: unknown): BackendFailure {
  const error = failure('backend_connect_error', { model: model.id }, { cause })
  return { error, retry: 'elsewhere', penalise: true }
}

/** A transformer, an encoder or a format failed. The backend is not at fault. */
export function ownFailure(thrown: unknown): BackendFailure {
  return { error: toGatewayError(thrown), retry: 'no', penalise: false }
}

/** The backend accepted the request and sent nothing for too long. A retry would cost as much again. */
export function timeoutFailure(model: ModelConfig): BackendFailure {
  const error = failure('backend_timeout', { model: model.id }, { extra: { model: model.id } })
  return { error, retry: 'no', penalise: true }
}

const MAX_WORDS = 2000

/** What classify() decides by: an error response, or an in-band error. */
interface Signal {
  /** undefined: an in-band error without one. */
  readonly status: number | undefined
  readonly said: BackendError | undefined
  /** Text that the patterns of the profile are compared with. */
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
  return { error, ...(status === undefined ? SERVER_ERROR : (CONSEQUENCES[status] ?? SERVER_ERROR)) }
}

type Consequence = Omit<BackendFailure, 'error'>

/** The generation may have begun: a retry could fail in the same way, or pay for the same tokens twice. */
const SERVER_ERROR: Consequence = { retry: 'no', penalise: true }

/** The server has not begun to generate: wrong key, unknown model, not running behind its proxy, starting up. */
const ELSEWHERE: Consequence = { retry: 'elsewhere', penalise: true }

const CONSEQUENCES: Readonly<Record<number, Consequence>> = {
  400: { retry: 'no', penalise: false },
  422: { retry: 'no', penalise: false },
  413: { retry: 'no', penalise: false },
  401: ELSEWHERE,
  403: ELSEWHERE,
  404: ELSEWHERE,
  502: ELSEWHERE,
  503: { ...ELSEWHERE, unavailable: true },
}

/** Statuses with which a backend reports a fault of the request. */
function isRefusal(status: number | undefined): boolean {
  return status === undefined || status === 400 || status === 413 || status === 422
}

function matches(words: string, patterns: readonly string[]): boolean {
  const lower = words.toLowerCase()
  return patterns.some(pattern => lower.includes(pattern.toLowerCase()))
}

/** The backend is full, which is no failure: another one may have capacity. */
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

/** Positions in the body of the backend, which are not those of the client's own body. */
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
