import type { IncomingHttpHeaders } from 'node:http'
import { EFFORTS } from '../../canonical/request.ts'
import type { ModelConfig } from '../../config/config.ts'
import type { BackendProfile } from '../../config/profile.ts'
import { failure, type GatewayError, toGatewayError } from '../../errors/errors.ts'
import { limitHeaders } from '../../errors/limit-headers.ts'
import { quoted, words } from '../../text/quoted.ts'
import { TransportError } from '../../transport/transport.ts'
import { concurrencyOf, retryAfterOf } from '../backend-limits.ts'
import { contextExceeded } from '../context-window.ts'
import { type BackendError, bodyError } from '../decode/error.ts'
import type { FailureReason } from './failure-reason.ts'
import { fittingMaxTokensOf, overflowOf } from './reported-overflow.ts'
import { isParameter, MAX_REASON, scrubbed } from './scrub.ts'

/** Why an attempt failed: the error for the client, whether to retry, and whether the backend is at fault. */
export interface BackendFailure {
  readonly error: GatewayError
  /** Whether another backend may be tried, if nothing has been sent to the client. */
  readonly retry: 'elsewhere' | 'no'
  /** The failure counts towards the backend's ejection. */
  readonly penalise: boolean
  /** No connection could be opened. The request is not the cause. */
  readonly isConnection?: boolean
  /** The request has passed too many gateways. The backend is not at fault. */
  readonly isLoop?: true
  /** The backend reports that it is out of service. If no other backend is left, the error is no_healthy_backends. */
  readonly unavailable?: boolean
  /** If only max_tokens is too large: the value that the backend accepts; `rest`: it accepts a request without it. */
  readonly fittingMaxTokens?: number | 'rest'
  /** Only the reasoning effort was refused. The same backend accepts these. */
  readonly acceptedEfforts?: readonly string[]
  /** For operators; undefined: the backend is not at fault. */
  readonly reason?: FailureReason
}

export interface FailureContext {
  readonly model: ModelConfig
  readonly profile: BackendProfile
  /** Lists the models that the client may use, for suggestions. Takes time for each model of the configuration. */
  readonly models: () => readonly ModelConfig[]
}

/** A response with another status than 200, and its body as text. */
interface BackendErrorResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bodyText: string
}

/** A backend's error response, by the table of docs/DESIGN.md#backend-errors. */
export function backendFailure(response: BackendErrorResponse, context: FailureContext): BackendFailure {
  if (response.status === 502 && Object.keys(response.headers).some(isLoopHeader)) return loopFailure(context.model)
  const reported = bodyError(response.bodyText)
  const text = reported === undefined ? response.bodyText.slice(0, MAX_TEXT) : `${reported.message} ${reported.labels}`
  const signal = { status: response.status, reported, text, retryAfter: retryAfterOf(response.headers), inBand: false }
  return { ...classify(signal, context), reason: { kind: `status ${response.status}`, text } }
}

/** An in-band error of a 200 response. Its code counts as the status. */
export function inBandFailure(reported: BackendError, context: FailureContext): BackendFailure {
  const text = `${reported.message} ${reported.labels}`
  const { status } = reported
  const reason = {
    kind: status === undefined ? 'error in a stream' : `error ${status} in a stream`,
    text: reported.message,
  }
  return { ...classify({ status, reported, text, retryAfter: undefined, inBand: true }, context), reason }
}

/** A reply that cannot be used. `cause` describes the problem and contains no content of the reply. */
export function brokenReply(model: ModelConfig, cause: string): BackendFailure {
  return { error: httpError(model, { problem: cause }), retry: 'no', penalise: true, reason: { kind: cause } }
}

/** The header by which a gateway refuses a loop. The `brand` of that gateway is part of the name. */
function isLoopHeader(name: string): boolean {
  return /^x-[a-z0-9-]+-loop$/.test(name)
}

/** The request has passed too many gateways, and a backend of this model is one of them. */
export function loopFailure(model: ModelConfig): BackendFailure {
  const reason = { kind: 'the request has passed three gateways: see the url of this backend' }
  return { error: httpError(model, {}), retry: 'no', penalise: false, isLoop: true, reason }
}

/** No connection could be opened, or it broke before the response head. */
export function connectFailure(model: ModelConfig, cause: unknown): BackendFailure {
  const error = failure('backend_connect_error', { model: model.id }, { cause })
  const isConnection = cause instanceof TransportError && (cause.kind === 'connect' || cause.kind === 'connect-timeout')
  return { error, retry: 'elsewhere', penalise: true, isConnection, reason: { kind: connectionProblem(cause) } }
}

/** A transformer, an encoder or a format failed. The backend is not at fault. */
export function ownFailure(thrown: unknown): BackendFailure {
  return { error: toGatewayError(thrown), retry: 'no', penalise: false }
}

/** The backend accepted the request and sent nothing in time. A retry would cost as much as the first attempt. */
export function timeoutFailure(model: ModelConfig): BackendFailure {
  const error = failure('backend_timeout', { model: model.id }, { extra: { model: model.id } })
  return { error, retry: 'no', penalise: true, reason: { kind: 'nothing was received in time' } }
}

const PROBLEMS: Readonly<Record<TransportError['kind'], string>> = {
  connect: 'no connection could be opened',
  'connect-timeout': 'no connection was open in time',
  reset: 'the connection broke before the response',
  broken: 'the connection broke inside the response',
}

/** The problem and the system's error code, if any: `no connection could be opened (ECONNREFUSED)`. */
function connectionProblem(thrown: unknown): string {
  if (!(thrown instanceof TransportError)) return PROBLEMS.connect
  const { kind, cause } = thrown
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? `${PROBLEMS[kind]} (${code})` : PROBLEMS[kind]
}

const MAX_TEXT = 2000

/** An error response or an in-band error, as classify() needs it. */
interface Signal {
  /** undefined: an in-band error without a status. */
  readonly status: number | undefined
  readonly reported: BackendError | undefined
  /** Matched against the patterns of the profile. */
  readonly text: string
  readonly retryAfter: number | undefined
  readonly inBand: boolean
}

function classify(signal: Signal, context: FailureContext): BackendFailure {
  const { status, reported, text, inBand } = signal
  const { model, profile } = context
  if (status === 429 || status === 529) return full('backend_overloaded', signal, model)
  if ((status === 503 || inBand) && matches(text, profile.queue_full_patterns)) {
    return full('backend_at_capacity', signal, model)
  }
  if ((status === 503 || inBand) && matches(text, profile.timeout_patterns)) return timeoutFailure(model)
  if (isRefusal(status) && matches(text, profile.missing_model_patterns)) {
    return { error: httpError(model, { status }), ...ELSEWHERE }
  }
  if (reported !== undefined && isRefusal(status)) {
    if (matches(text, profile.context_patterns)) return tooLong(reported, context)
    if (status !== 413 && status !== undefined && reported.message !== '') return rejected(reported, model)
  }
  // llama-server reports exceptions of its chat template, and problems found while it generates, with status 500.
  if (status === 500 && reported !== undefined && matches(text, profile.refusal_patterns)) {
    return matches(text, profile.context_patterns) ? tooLong(reported, context) : rejected(reported, model)
  }
  const error = httpError(model, { status })
  return { error, ...(status === undefined ? SERVER_ERROR : (CONSEQUENCES[status] ?? SERVER_ERROR)) }
}

type Consequence = Omit<BackendFailure, 'error'>

/** The backend may have begun to generate: a retry could fail again, or generate the same tokens twice. */
const SERVER_ERROR: Consequence = { retry: 'no', penalise: true }

/** The backend has not begun to generate: wrong key, unknown model, engine down behind its proxy, engine starting. */
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

/** Whether a backend reports with this status that the request is at fault. */
function isRefusal(status: number | undefined): boolean {
  return status === undefined || status === 400 || status === 413 || status === 422
}

function matches(text: string, patterns: readonly string[]): boolean {
  const lower = text.toLowerCase()
  return patterns.some(pattern => includes(lower, pattern.toLowerCase()))
}

/** Whether the text contains the parts of the pattern in order. `*` separates the parts. */
function includes(text: string, pattern: string): boolean {
  let from = 0
  for (const part of pattern.split('*')) {
    const at = text.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return true
}

/** The backend is full. That is no failure: another backend may have capacity. */
function full(code: 'backend_overloaded' | 'backend_at_capacity', signal: Signal, model: ModelConfig): BackendFailure {
  const headers = limitHeaders(concurrencyOf(model), signal.retryAfter)
  return { error: failure(code, { model: model.id }, { headers }), retry: 'elsewhere', penalise: false }
}

function tooLong(reported: BackendError, { model, models }: FailureContext): BackendFailure {
  const overflow = overflowOf(reported, model)
  const error = contextExceeded(overflow, model, models())
  const fittingMaxTokens = fittingMaxTokensOf(overflow)
  return { error, retry: 'no', penalise: false, ...(fittingMaxTokens !== undefined && { fittingMaxTokens }) }
}

/** An index in the backend's body. The client's body may have another one. */
const INDEX = /(?:\.|\[)\d.*/

function rejected(reported: BackendError, model: ModelConfig): BackendFailure {
  const reason = scrubbed(reported.message)
  const problem =
    reason === ''
      ? `Model '${model.id}' refused the request.`
      : // Quoted, because a name in the request may consist of English words, which are kept.
        words`Model '${model.id}' refused the request: ${quoted(reason, MAX_REASON)}`
  const param =
    reported.param !== undefined && isParameter(reported.param) ? reported.param.replace(INDEX, '') : undefined
  const error = failure('model_request_rejected', { problem }, { param })
  const acceptedEfforts = namedEfforts(reported)
  return { error, retry: 'no', penalise: false, ...(acceptedEfforts !== undefined && { acceptedEfforts }) }
}

/** Engines list the accepted values after one of these words. */
const ACCEPTED_LIST = /\b(?:should be|must be|supported|one of|expected|allowed|valid)\b(.{0,300})/is
const EFFORT = new RegExp(`\\b(?:${EFFORTS.join('|')})\\b`, 'g')

/**
 * The reasoning efforts that an engine lists when it refuses another one, weakest first. vLLM and SGLang: `Input should
 * be 'low', 'medium' or 'high'`. Chat templates: `Supported types are xhigh (default), medium, and low`.
 */
function namedEfforts({ message, param }: BackendError): readonly string[] | undefined {
  if (param !== 'reasoning_effort' && !/reasoning[ _]effort/i.test(message)) return undefined
  const named: readonly string[] = ACCEPTED_LIST.exec(message)?.[1]?.match(EFFORT) ?? []
  return named.length === 0 ? undefined : EFFORTS.filter(effort => named.includes(effort))
}

function httpError(model: ModelConfig, cause: object): GatewayError {
  return failure('backend_http_error', { model: model.id }, { extra: { model: model.id }, cause })
}

const MAX_BODY_BYTES = 64 * 1024

/** Receives a response with another status than 200. Reads at most MAX_BODY_BYTES of its body. */
export class ErrorResponse {
  readonly #status: number
  readonly #headers: IncomingHttpHeaders
  readonly #parts: Buffer[] = []
  #size = 0

  constructor(status: number, headers: IncomingHttpHeaders) {
    this.#status = status
    this.#headers = headers
  }

  /** False: the rest of the body is not needed. */
  add(chunk: Buffer): boolean {
    this.#size += chunk.length
    if (this.#size > MAX_BODY_BYTES) return false
    this.#parts.push(chunk)
    return true
  }

  get received(): BackendErrorResponse {
    return { status: this.#status, headers: this.#headers, bodyText: Buffer.concat(this.#parts).toString() }
  }
}
