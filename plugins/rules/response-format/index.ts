import {
  type CanonicalRequest,
  definePlugin,
  fail,
  isObject,
  type Json,
  quoted,
  type ResponseFormat,
  type Target,
  withoutDecoding,
  words,
} from '../../../lib/plugin.ts'
import { chat, target } from '../../slots.ts'
import { MAX_SCHEMA_VALUES, valuesLeft } from '../schema-size.ts'
import { partition, supports } from '../supports.ts'

/** Refuses constraints on the output that the model's backends would ignore or cannot read. Compiles nothing. */
function checkOutputConstraints(request: CanonicalRequest, target: Target): void {
  const { responseFormat: format, regex, regexOrigin = 'regex' } = request
  if (format !== undefined) checkFormat(format, target)
  if (regex === undefined) return
  if (!supports(target, 'regex')) {
    const where = partition(target, 'regex')
    fail('unsupported_regex', { model: target.model.id, where }, { param: regexOrigin })
  }
  if (format !== undefined && format.type !== 'text') {
    invalid('regex and response_format cannot be combined: the output can follow one of them.', 'regex')
  }
}

function checkFormat(format: ResponseFormat, target: Target): void {
  if (format.type === 'text') return
  if (format.type === 'other') unsupported(format, format.name, target.model.id)
  const capability = format.type === 'grammar' ? 'grammar' : 'structured_outputs'
  if (!supports(target, capability)) unsupported(format, format.type, target.model.id, partition(target, capability))
  if (format.type === 'grammar') checkGrammar(format)
  if (format.type === 'json_schema') checkSchema(format.schema, format.origin ?? 'response_format.json_schema.schema')
}

function checkGrammar({ grammar, unknown, origin }: Extract<ResponseFormat, { type: 'grammar' }>): void {
  if (unknown !== undefined) {
    const parameter = words`response_format.${quoted(unknown)}`
    fail('unsupported_parameter', { parameter, where: '' }, { param: parameter.full })
  }
  if (grammar !== '') return
  invalid('A response format of type grammar needs the text of a grammar.', origin ?? 'response_format.grammar')
}

function checkSchema(schema: Json | undefined, param: string): void {
  if (!isObject(schema)) invalid('The schema of the output must be a JSON Schema object.', param)
  if (withoutDecoding(() => valuesLeft(schema, MAX_SCHEMA_VALUES)) < 0)
    invalid('The schema of the output is too large or nested too deep.', param)
}

function unsupported({ origin }: ResponseFormat, type: string, model: string, where = ''): never {
  const values = { model, format: quoted(type), where }
  fail('unsupported_response_format', values, { param: origin ?? 'response_format.type' })
}

function invalid(problem: string, param: string): never {
  fail('schema_validation_failed', { problem }, { param })
}

export default definePlugin({
  name: 'response-format',
  summary: 'Refuses response formats and regular expressions that the model does not support.',
  routes: { canonical: true },
  needs: [chat, target],

  setup: () => ({
    onBody(exchange) {
      checkOutputConstraints(exchange.get(chat), exchange.get(target))
    },
  }),
})
