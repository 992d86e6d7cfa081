import type { ResponseFormat, TextRequest } from '../../canonical/request.ts'
import { fail } from '../../errors/errors.ts'
import { readResponseFormat } from '../openai/request.ts'
import type { CompletionsBody } from './generated/body.ts'

type Constraint = Pick<TextRequest, 'regex' | 'regexOrigin' | 'responseFormat'>

const FREE: Constraint = { regex: undefined, responseFormat: undefined }

/**
 * The constraint on the output. Several members can ask for one; a body that uses two of them is refused with
 * `schema_validation_failed`.
 */
export function readConstraint(body: CompletionsBody): Constraint {
  const given = [...constraints(body)]
  const [first, second] = given
  if (first !== undefined && second !== undefined) {
    const problem = `'${first.param}' and '${second.param}' cannot be combined: the output can follow one of them.`
    fail('schema_validation_failed', { problem }, { param: second.param })
  }
  return first?.constraint ?? FREE
}

function* constraints(body: CompletionsBody): Generator<{ param: string; constraint: Constraint }> {
  const { regex, grammar, response_format, structured_outputs } = body
  const byFormat = (param: string, responseFormat: ResponseFormat) => ({
    param,
    constraint: { ...FREE, responseFormat },
  })
  const byRegex = (param: string, regex: string, origin?: { readonly regexOrigin: string }) => ({
    param,
    constraint: { ...FREE, regex, ...origin },
  })

  if (regex != null) yield byRegex('regex', regex)
  if (grammar != null) yield byFormat('grammar', { type: 'grammar', grammar, origin: 'grammar' })
  if (response_format != null && response_format.type !== 'text') {
    yield byFormat('response_format', readResponseFormat(response_format))
  }
  if (structured_outputs == null) return

  const { json, json_object } = structured_outputs
  if (json != null) {
    const origin = 'structured_outputs.json'
    yield byFormat(origin, {
      type: 'json_schema',
      name: 'output',
      schema: json,
      strict: true,
      description: undefined,
      origin,
    })
  }
  if (json_object === true) {
    const origin = 'structured_outputs.json_object'
    yield byFormat(origin, { type: 'json_object', origin })
  }
  if (structured_outputs.regex != null) {
    const regexOrigin = 'structured_outputs.regex'
    yield byRegex(regexOrigin, structured_outputs.regex, { regexOrigin })
  }
  if (structured_outputs.grammar != null) {
    const origin = 'structured_outputs.grammar'
    yield byFormat(origin, { type: 'grammar', grammar: structured_outputs.grammar, origin })
  }
}
