/** Errors of pydantic: vLLM and SGLang use them to refuse invalid bodies. */
import { isParameter } from '../failure/scrub.ts'

export interface Problem {
  readonly message: string
  /** Path of the invalid member, as far as it consists of names of the API: `stop`, `messages.0.role`. */
  readonly param: string | undefined
}

/** A string as Python prints it, in single or double quotes. */
const QUOTED = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"`

/** `'loc': ('body', 'stop', 0)`; since vLLM 0.11 `'loc': 'body.stop'`. */
const LOCATION = new RegExp(String.raw`'loc': (?:\(([^()]{0,300})\)|(${QUOTED}))`)
const REASON = new RegExp(`'msg': (${QUOTED})`)

/** `1 validation error for ChatCompletionRequest`, followed by a line with the location and a line with the reason. */
const PRINTED = /\d+ validation errors? for [^\n]{1,200}\n([^\n]{1,300})\n {2}([^\n]+)/

/** The first problem in a message with printed errors of pydantic; undefined for any other text. */
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

/** A step that is no member: a class that pydantic tried (`ChatCompletionMessageUserParam`) or a type (`list[str]`). */
const TYPE = /^[A-Z][A-Za-z]+$|[[\]]/

/** A problem at a location, as far as its steps are names of the API. */
export function problemOf(location: readonly string[], reason: string): Problem {
  const steps = location[0] === 'body' ? location.slice(1) : location
  let param: string | undefined
  for (const step of steps) {
    if (TYPE.test(step)) continue
    const path = param === undefined ? step : `${param}.${step}`
    if (!isParameter(path)) break
    param = path
  }
  return { param, message: param === undefined ? reason : `'${param}': ${reason}` }
}

/** The path without the prefix `body.` of some engines. */
export function withoutBody(param: string): string {
  return param.replace(/^body\./, '')
}

function unquoted(text: string): string {
  return text
    .trim()
    .replace(/^(['"])(.*)\1$/s, '$2')
    .replace(/\\(.)/g, '$1')
}
