import type { JsonObject } from '../../base/json.ts'
import type { FormatOptions } from '../../canonical/format.ts'
import { type ResponseFormat, readSampling, type TextRequest } from '../../canonical/request.ts'
import { fail } from '../../errors/errors.ts'
import { readResponseFormat, readStop } from '../openai/request.ts'
import type { CompletionsBody } from './generated/body.ts'

/** Translates a body that schemas/bodies/completions.json accepted. Without max_tokens the backend's limit applies. */
export function toCanonical(json: JsonObject, options: FormatOptions): TextRequest {
  const body: CompletionsBody = json as JsonObject & CompletionsBody
  return {
    kind: 'text',
    model: body.model,
    stream: body.stream === true,
    n: body.n ?? 1,
    maxTokens: body.max_tokens ?? undefined,
    clampMaxTokens: options.clamp_max_tokens.includes('completions'),
    stop: readStop(body.stop),
    sampling: readSampling(body),
    ...readConstraint(body),
    // Readonly only in the type of the body: the canonical request owns the prompt.
    prompt: body.prompt as TextRequest['prompt'],
    echo: body.echo ?? undefined,
    suffix: body.suffix ?? undefined,
    bestOf: readBestOf(body),
  }
}

function readBestOf({ best_of, n }: CompletionsBody): number | undefined {
  if (best_of != null && best_of < (n ?? 1)) {
    fail('schema_validation_failed', { problem: "'best_of' must not be less than 'n'." }, { param: 'best_of' })
  }
  return best_of ?? undefined
}

type Constraint = Pick<TextRequest, 'regex' | 'regexOrigin' | 'responseFormat'>

const FREE: Constraint = { regex: undefined, responseFormat: undefined }

/** Reads the constraint on the output. Refuses a body with two constraints with `schema_validation_failed`. */
function readConstraint(body: CompletionsBody): Constraint {
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
