import { isObject, type Json, parseJson } from '../../base/json.ts'

/** What a backend says about a failure, whatever envelope it uses. Untrusted text: never shown as it is. */
export interface BackendError {
  /** Its own idea of an HTTP status. */
  readonly status: number | undefined
  readonly message: string
  /** `type` and a `code` that is a word, for patterns to match on. */
  readonly labels: string
  readonly param: string | undefined
  /** llama.cpp counts the prompt beside the message. */
  readonly promptTokens: number | undefined
  readonly contextLimit: number | undefined
}

/** Longest message that is looked at. The patterns that read it are linear, this bounds them for good. */
const MAX_MESSAGE = 2000

/** Error types of servers that give no number. */
const BAD_REQUEST = /bad_?request|invalid_?request|validation/i

/**
 * An error event of a stream, or undefined for anything else. Nested `{"error": …}` (OpenAI, vLLM, llama.cpp, SGLang in
 * streams), flat `{"object": "error", …}` (SGLang, older vLLM), or any shape under `event: error`.
 */
export function inBandError(data: Json, event?: string): BackendError | undefined {
  if (!isObject(data)) return event === 'error' ? readError(data) : undefined
  if (data.error !== undefined && data.error !== null) return readError(data)
  return data.object === 'error' || event === 'error' ? readError(data) : undefined
}

/** The error in the body of an HTTP answer; undefined where there is none that can be understood. */
export function bodyError(text: string): BackendError | undefined {
  const body = parseJson(text)
  if (!isObject(body)) return undefined
  const error = readError(body)
  return error.message === '' && error.labels === '' ? undefined : error
}

function readError(data: Json): BackendError {
  const inner = isObject(data) && data.error != null ? data.error : data
  if (!isObject(inner)) return { ...NOTHING, message: typeof inner === 'string' ? inner.slice(0, MAX_MESSAGE) : '' }
  const { code, type, param } = inner
  const labels = [type, code].filter(label => typeof label === 'string').join(' ')
  return {
    status: statusOf(code) ?? (BAD_REQUEST.test(labels) ? 400 : undefined),
    message: messageOf(inner.message ?? inner.detail).slice(0, MAX_MESSAGE),
    labels,
    param: typeof param === 'string' ? param : undefined,
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

/** FastAPI answers with a list of problems, each with the place and what is wrong there. */
function messageOf(value: Json | undefined): string {
  if (typeof value === 'string') return value
  const [problem] = Array.isArray(value) ? value : []
  if (!isObject(problem) || typeof problem.msg !== 'string') return ''
  const place = Array.isArray(problem.loc) ? problem.loc.filter(part => part !== 'body').join('.') : ''
  return place === '' ? problem.msg : `'${place}': ${problem.msg}`
}

function statusOf(code: Json | undefined): number | undefined {
  const status = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code
  return typeof status === 'number' && status >= 400 && status < 600 ? status : undefined
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}
