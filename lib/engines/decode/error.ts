import { isObject, type Json, parseJson } from '../../base/json.ts'
import { type Problem, problemOf, validationProblem, withoutBody } from './validation.ts'

/** An error as a backend reported it, in any envelope. Its text is untrusted and must be scrubbed. */
export interface BackendError {
  /** The HTTP status in the body, if any. */
  readonly status: number | undefined
  readonly message: string
  /** `type`, and `code` if it is a string. The patterns of the profile match them. */
  readonly labels: string
  /** Path of the refused member, as the engine names it. It may not be a path of the API. */
  readonly param: string | undefined
  /** llama.cpp sends `n_prompt_tokens` and `n_ctx`. */
  readonly promptTokens: number | undefined
  readonly contextLimit: number | undefined
}

/** Characters of a message that are read. Bounds the cost of the patterns, which take linear time. */
const MAX_MESSAGE = 2000

/** Error types that mean status 400, for servers that send no status. */
const BAD_REQUEST = /bad_?request|invalid_?request|validation/i

/** The error in the body of a response; undefined if the body has no known form of an error. */
export function bodyError(text: string): BackendError | undefined {
  const body = parseJson(text) ?? cutBody(text)
  if (!isObject(body)) return undefined
  const error = readError(body)
  return error.message === '' && error.labels === '' ? undefined : error
}

/** The first message in an object that does not end, with at most MAX_MESSAGE characters of it. */
const CUT = /^\s*\{.{0,200}?"message"\s*:\s*"((?:[^"\\]|\\.){0,1990})/s

/** Engines print whole inputs, such as images, in messages, so that only the start of a body has been read. */
function cutBody(text: string): Json | undefined {
  const start = CUT.exec(text)?.[1]
  return start === undefined ? undefined : parseJson(`{"message":"${start.replace(/\\u[\da-f]{0,3}$/i, '')}"}`)
}

/** The error in an object that is an error, in any envelope. */
export function readError(data: Json): BackendError {
  const inner = isObject(data) && data.error != null ? data.error : data
  if (!isObject(inner)) return { ...NOTHING, message: typeof inner === 'string' ? inner.slice(0, MAX_MESSAGE) : '' }
  const { code, type, param } = inner
  const labels = [type, code].filter(label => typeof label === 'string').join(' ')
  const problem = problemIn(inner.message ?? inner.detail)
  return {
    status: statusOf(code) ?? (BAD_REQUEST.test(labels) ? 400 : undefined),
    message: problem.message.slice(0, MAX_MESSAGE),
    labels,
    param: typeof param === 'string' ? withoutBody(param) : problem.param,
    promptTokens: numberOf(inner.n_prompt_tokens),
    contextLimit: numberOf(inner.n_ctx),
  }
}

const NOTHING: BackendError = {
  status: undefined,
  message: '',
  labels: '',
  param: undefined,
  promptTokens: undefined,
  contextLimit: undefined,
}

/** The message, or the first problem of several in it, or the first of FastAPI's list of problems (`loc`, `msg`). */
function problemIn(value: Json | undefined): Problem {
  if (typeof value === 'string') {
    const text = value.slice(0, MAX_MESSAGE)
    return validationProblem(text) ?? { message: text, param: undefined }
  }
  const [problem] = Array.isArray(value) ? value : []
  if (!isObject(problem) || typeof problem.msg !== 'string') return { message: '', param: undefined }
  return problemOf(Array.isArray(problem.loc) ? problem.loc.map(String) : [], problem.msg)
}

function statusOf(code: Json | undefined): number | undefined {
  const status = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code
  return typeof status === 'number' && status >= 400 && status < 600 ? status : undefined
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}
