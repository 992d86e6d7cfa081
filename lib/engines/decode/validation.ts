/** Refusals of pydantic, by which vLLM and SGLang say that a body is not valid. */
import { isParameter } from '../failure/scrub.ts'

/** The first problem of a refusal. */
export interface Problem {
  readonly message: string
  /** The member that it is about, as far as it is one of the API: `stop`, `messages.0.role`. */
  readonly param: string | undefined
}

/** A string as Python prints it, in either kind of quotes. */
const QUOTED = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"`

/** `'loc': ('body', 'stop', 0)`, or since vLLM 0.11 `'loc': 'body.stop'`. */
const LOCATION = new RegExp(String.raw`'loc': (?:\(([^()]{0,300})\)|(${QUOTED}))`)
const REASON = new RegExp(`'msg': (${QUOTED})`)

/** `1 validation error for ChatCompletionRequest`, the location and the reason on the next two lines. */
const PRINTED = /\d+ validation errors? for [^\n]{1,200}\n([^\n]{1,300})\n {2}([^\n]+)/

/** The problem in a message that holds printed errors of pydantic; undefined for any other text. */
export function validationProblem(text: string): Problem | undefined {
  const reason = REASON.exec(text)?.[1]
  if (reason !== undefined) {
    const [, steps, path] = LOCATION.exec(text) ?? []
    return problemOf(
      steps?.split(',').map(unquoted) ?? (path === undefined ? [] : unquoted(path).split('.')),
      unquoted(reason),
    )
  }
  const [, location, printed] = PRINTED.exec(text) ?? []
  return location === undefined ? undefined : problemOf(location.split('.'), printed!.replace(/ \[type=.*/, ''))
}

/**
 * A problem at a location. Types behind the member, such as `list[str]`, name an alternative that was tried, and are left
 * out, as is everything else that is no word of the API.
 */
export function problemOf(location: readonly string[], reason: string): Problem {
  const steps = location[0] === 'body' ? location.slice(1) : location
  let param: string | undefined
  for (const step of steps) {
    const path = param === undefined ? step : `${param}.${step}`
    if (!isParameter(path)) break
    param = path
  }
  return { param, message: param === undefined ? reason : `'${param}': ${reason}` }
}

/** A path as an engine names it: without the `body.` before it. */
export function withoutBody(param: string): string {
  return param.replace(/^body\./, '')
}

function unquoted(text: string): string {
  return text
    .trim()
    .replace(/^(['"])(.*)\1$/s, '$2')
    .replace(/\\(.)/g, '$1')
}
