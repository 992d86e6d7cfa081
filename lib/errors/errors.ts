import type { JsonObject } from '../base/json.ts'
import { fullText, textWithoutNames, type Words } from '../text/quoted.ts'

/**
 * Every failure: status, `error.type`, and the message with placeholders in braces (docs/api/errors.md#codes). A new
 * code is a row here and a page in docs/errors.
 */
export const ERRORS = {
  // invalid_request_error
  invalid_json_request: [400, 'invalid_request_error', '{problem}'],
  schema_validation_failed: [422, 'invalid_request_error', '{problem}'],
  unsupported_parameter: [400, 'invalid_request_error', "Parameter '{parameter}' is not supported{where}."],
  unsupported_feature: [400, 'invalid_request_error', "Model '{model}' does not support {feature}."],
  unsupported_response_format: [
    400,
    'invalid_request_error',
    "Model '{model}' does not support the response format '{format}'{where}.",
  ],
  unsupported_regex: [400, 'invalid_request_error', "Model '{model}' does not support regex{where}."],
  unsupported_tool_type: [400, 'invalid_request_error', "Tool type '{type}' is not supported: use 'function'."],
  unsupported_input_item: [400, 'invalid_request_error', '{problem}'],
  tool_schema_invalid: [400, 'invalid_request_error', "Tool '{tool}': {problem}"],
  tool_choice_unknown_tool: [400, 'invalid_request_error', "tool_choice names '{tool}', which is not in tools."],
  invalid_tool: [
    400,
    'invalid_request_error',
    "Tool type '{type}' cannot be run by this service: use 'function' or 'web_search'. The operator can have such tools dropped: 'responses.unknown_tools'.",
  ],
  duplicate_tool_name: [400, 'invalid_request_error', "Two tools are named '{tool}': names must be unique."],
  missing_tool_name: [400, 'invalid_request_error', 'A tool has no name.'],
  orphan_tool_message: [400, 'invalid_request_error', "No earlier assistant message issued tool call '{id}'."],
  missing_tool_call_id: [400, 'invalid_request_error', 'A tool result needs the id of the call that it answers.'],
  json_schema_refs_unsupported: [
    400,
    'invalid_request_error',
    'Only local, non-recursive schema references are supported: {problem}.',
  ],
  context_length_exceeded: [400, 'invalid_request_error', '{problem}'],
  model_not_found: [404, 'invalid_request_error', "Model '{model}' does not exist. Available models: {available}."],
  model_not_allowed: [403, 'invalid_request_error', "This key may not use model '{model}'."],
  invalid_zdr_header: [400, 'invalid_request_error', "{header} has one valid value: 'required'."],
  invalid_request_tag: [400, 'invalid_request_error', "Request tag '{tag}' is not valid: {problem}"],
  model_zdr_not_supported: [400, 'invalid_request_error', "Model '{model}' has no zero-data-retention backend."],
  file_id_not_allowed_with_zdr: [
    400,
    'invalid_request_error',
    'Uploaded files cannot be referenced by file_id when zero data retention is required.',
  ],
  request_body_too_large: [413, 'invalid_request_error', 'The body is larger than {limit} bytes.'],
  model_request_rejected: [400, 'invalid_request_error', '{problem}'],
  http_400: [400, 'invalid_request_error', '{problem}'],
  http_404: [404, 'invalid_request_error', '{problem}'],
  http_405: [405, 'invalid_request_error', '{method} is not allowed here: use {allow}.'],
  http_408: [408, 'invalid_request_error', 'The request did not arrive in time.'],
  http_415: [
    415,
    'invalid_request_error',
    "Content-Encoding '{encoding}' is not supported: send the body with {accepted}.",
  ],
  http_417: [417, 'invalid_request_error', "The only supported expectation is '100-continue'."],
  http_426: [426, 'invalid_request_error', 'WebSocket and other upgrades are not supported: use plain HTTP requests.'],
  http_431: [431, 'invalid_request_error', 'The request header fields are too large.'],
  // authentication_error, permission_error
  missing_api_key: [
    401,
    'authentication_error',
    "No API key was sent: use 'Authorization: Bearer <API_KEY>' or 'x-api-key: <API_KEY>'.",
  ],
  invalid_api_key: [401, 'authentication_error', 'The API key is not valid.'],
  http_401: [401, 'authentication_error', '{problem}'],
  http_403: [403, 'permission_error', '{problem}'],
  files_require_user_key: [403, 'permission_error', 'Only a serverless key that belongs to a user can own files.'],
  // rate_limit_error
  concurrency_limit_exceeded: [
    429,
    'rate_limit_error',
    'Requests in flight on this account have reached the limit of its plan: {limit}.',
  ],
  request_quota_exceeded: [
    429,
    'rate_limit_error',
    'Quota exceeded: the {limit} requests that the plan of this account includes are used up. They will reset at {until}.',
  ],
  request_memory_exceeded: [
    429,
    'rate_limit_error',
    'The request bodies of this account use all of the {limit} bytes that one account may use: send fewer at once.',
  ],
  batch_limit_exceeded: [429, 'rate_limit_error', '{problem}'],
  rate_limit_exceeded: [429, 'rate_limit_error', 'More than {limit} requests a minute with this key: slow down.'],
  backend_at_capacity: [429, 'rate_limit_error', "Model '{model}' is at capacity."],
  backend_overloaded: [429, 'rate_limit_error', "The backend of model '{model}' is overloaded."],
  insufficient_credits: [402, 'insufficient_credits', 'The prepaid balance does not cover this request.'],
  // routing_error, server_error, internal_error
  no_healthy_backends: [503, 'routing_error', "No healthy backend serves model '{model}' at the moment."],
  backend_timeout: [504, 'routing_error', "Model '{model}' did not answer in time."],
  backend_connect_error: [502, 'routing_error', "No connection to a backend of model '{model}' could be opened."],
  backend_http_error: [502, 'server_error', "The backend of model '{model}' gave no usable answer."],
  gateway_overloaded: [503, 'server_error', 'The gateway has no memory left for this request body: send it again.'],
  shutting_down: [503, 'server_error', 'This gateway is shutting down: send the request again.'],
  internal_error: [500, 'internal_error', 'The gateway failed to handle this request.'],
} as const satisfies Record<string, readonly [status: number, type: string, message: string]>

/** A code of the table ERRORS. */
export type ErrorCode = keyof typeof ERRORS

/** `error.type` of an envelope. */
export type ErrorType = (typeof ERRORS)[ErrorCode][1]

/** A row of a table of errors. `message` has placeholders in braces. */
export type ErrorRow = readonly [status: number, type: ErrorType, message: string]

/** Error codes with their rows: ERRORS, or those of a plugin. */
export type ErrorTable = Readonly<Record<string, ErrorRow>>

/** Names of the placeholders in a message: 'a {b} c {d}' gives 'b' | 'd'. */
type Placeholders<M extends string> = M extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never
/** A value for each placeholder, if the message has any. quoted() marks names that a client chose. */
type MessageValues<R extends ErrorRow> = [Placeholders<R[2]>] extends [never]
  ? Record<string, never>
  : Record<Placeholders<R[2]>, Words>

/** Details of an error other than its code and the values of its message. */
interface ErrorDetails {
  /** Dotted path of the invalid member in canonical names, which the format translates into the client's. */
  readonly param?: string | undefined
  /** True: `param` is in the client's format already. */
  readonly ownParam?: boolean | undefined
  /** Further members of the error in the body, such as `context_length_limit`. */
  readonly extra?: JsonObject | undefined
  /** Response headers, names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly message?: string | undefined
  /** Replaces the status of the table, for codes such as model_zdr_not_supported whose status depends on the case. */
  readonly status?: number | undefined
  /** False: a wait of a minute does not help, although the status says so. `x-should-retry` has it for SDKs. */
  readonly shouldRetry?: boolean | undefined
  /** The underlying error. Logged, never sent. */
  readonly cause?: unknown
}

/** A failure with a code of a table. Clients see its message; any other error is an internal_error for them. */
export class GatewayError extends Error {
  readonly code: string
  readonly status: number
  readonly type: string
  readonly details: ErrorDetails
  /** The plugin that refused, or the part of the core. The caller sets it once (core/chain.ts). */
  refusedBy: string | undefined = undefined
  readonly #template: string
  readonly #values: Readonly<Record<string, Words>>

  constructor(
    code: string,
    [status, type, template]: ErrorRow,
    values: Readonly<Record<string, Words>>,
    details: ErrorDetails = NO_DETAILS,
  ) {
    const message = details.message ?? filled(template, values, fullText)
    // A stack is never shown or logged, and makes an error ten times as expensive (docs/adr/0024).
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = limit
    this.code = code
    this.status = details.status ?? status
    this.type = type
    this.details = details
    this.#template = template
    this.#values = values
  }

  /** Response headers, with `x-should-retry` (docs/api/errors.md#repeating-a-request). */
  get headers(): Readonly<Record<string, string>> {
    const shouldRetry = this.details.shouldRetry ?? isRepeatable(this.status)
    return {
      ...this.details.headers,
      ...(shouldRetry === undefined ? null : { 'x-should-retry': String(shouldRetry) }),
    }
  }

  /** The message with the length of each name that the client chose in place of the name. For records and logs. */
  get messageWithoutNames(): string {
    return this.details.message ?? filled(this.#template, this.#values, textWithoutNames)
  }
}

function filled(template: string, values: Readonly<Record<string, Words>>, text: (value: Words) => string): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => text(values[name] ?? ''))
}

const NO_DETAILS: ErrorDetails = {}

/** Whether a repetition within a minute can succeed. undefined: unknown, which leaves the decision to the client. */
function isRepeatable(status: number): boolean | undefined {
  if (status === 408 || status === 429 || status === 503) return true
  return status < 500 ? false : undefined
}

/** Creates the error without throwing it. */
export function failure<C extends ErrorCode>(
  code: C,
  values: MessageValues<(typeof ERRORS)[C]>,
  details?: ErrorDetails,
): GatewayError {
  return new GatewayError(code, ERRORS[code], values, details)
}

/** Refuses the request. `fail('unsupported_feature', { model, feature: 'n > 1' }, { param: 'n' })` */
export function fail<C extends ErrorCode>(
  code: C,
  values: MessageValues<(typeof ERRORS)[C]>,
  details?: ErrorDetails,
): never {
  throw failure(code, values, details)
}

/** Error codes of a plugin, which declares them as its `errors`. */
export interface PluginErrors<T extends ErrorTable = ErrorTable> {
  readonly table: T
  /** Creates an error with a code of the plugin: `throw errors.failure('acme_word', { word })`. */
  failure<C extends keyof T & string>(code: C, values: MessageValues<T[C]>, details?: ErrorDetails): GatewayError
}

/** `defineErrors({ acme_word: [403, 'permission_error', "The word '{word}' is not allowed."] })` */
export function defineErrors<const T extends ErrorTable>(table: T): PluginErrors<T> {
  return { table, failure: (code, values, details) => new GatewayError(code, table[code]!, values, details) }
}

/** Converts anything thrown to an error of the table. Sets `refusedBy` to `source` if it is not set yet. */
export function toGatewayError(thrown: unknown, source?: string): GatewayError {
  const error = thrown instanceof GatewayError ? thrown : failure('internal_error', {}, { cause: thrown })
  error.refusedBy ??= source
  return error
}

/** `error` of the envelope (docs/api/errors.md#envelope), before a format wraps it. */
export interface ErrorBody extends JsonObject {
  type: string
  code: string
  message: string
  param?: string
  request_id: string
  docs_url: string
}
