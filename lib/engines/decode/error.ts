import { isObject, type Json, parseJson } from '../../base/json.ts'
import { type Problem, problemOf, validationProblem, withoutBody } from './validation.ts'

/** An error as a backend reported it, in any envelope. The text is untrusted: it must be scrubbed before a client sees it. */
export interface BackendError {
  /** The HTTP status that the body names, if any. */
  readonly status: number | undefined
  readonly message: string
  /** `type` and a textual `code`, for the patterns of the profile. */
  readonly labels: string
  /** Path of the member that is refused, as the engine names it: not always a word of the API. */
  readonly param: string | undefined
  /** llama.cpp sends it beside the message. */
  readonly promptTokens: number | undefined
  readonly contextLimit: number | undefined
}

/** The rest of a longer message is ignored. Bounds the cost of the patterns, which are linear. */
const MAX_MESSAGE = 2000

/** Error types that stand for status 400, for servers that send no number. */
const BAD_REQUEST = /bad_?request|invalid_?request|validation/i

/** The error in the body of a response; undefined where the body is no known form of an error. */
export function bodyError(text: string): BackendError | undefined {
  const body = parseJson(text)
  if (!isObject(body)) return undefined
  const error = readError(body)
  return error.message === '' && error.labels === '' ? undefined : error
}

/** The error in an object that stands for one, in any envelope. */
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

/** A message, with the first problem where it prints several, or the first of FastAPI's list of problems (`loc`, `msg`). */
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
