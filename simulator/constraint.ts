import { isObject, type Json, type JsonObject, parseJson } from '../lib/base/json.ts'
import type { EngineTraits } from './engine-traits.ts'
import { sampleGrammar } from './grammar-sample.ts'
import { PatternError } from './pattern.ts'
import { pick, type Random } from './random.ts'
import { badRequest } from './refusal.ts'
import { sampleRegex } from './regex-sample.ts'
import { sampleSchema } from './schema-sample.ts'

/** What the answer must look like. */
export type Constraint =
  | { readonly kind: 'schema'; readonly schema: Json }
  | { readonly kind: 'regex'; readonly expression: string }
  | { readonly kind: 'grammar'; readonly grammar: string }
  | { readonly kind: 'choice'; readonly values: readonly string[] }

const ANY_OBJECT: JsonObject = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] }

/** A text that the constraint allows. Throws a Refusal where there is none or the constraint cannot be read. */
export function satisfy(constraint: Constraint, random: Random): string {
  try {
    switch (constraint.kind) {
      case 'schema':
        return JSON.stringify(sampleSchema(constraint.schema, random))
      case 'regex':
        return sampleRegex(constraint.expression, random)
      case 'grammar':
        return sampleGrammar(constraint.grammar, random)
      case 'choice':
        return pick(random, constraint.values)
    }
  } catch (error) {
    if (error instanceof PatternError) throw badRequest(`Structured output: ${error.message}`)
    throw error
  }
}

/**
 * The constraint in a body, where this engine looks for one. Members that it does not know are ignored without a word,
 * as by the engine; two constraints are a Refusal.
 */
export function constraintOf(body: JsonObject, engine: EngineTraits, route: 'chat' | 'text'): Constraint | undefined {
  const own = OWN[engine.structured](body)
  const reads = route === 'chat' || engine.structured !== 'llama.cpp'
  const format = reads ? responseFormat(body.response_format) : undefined
  if (own !== undefined && format !== undefined) throw badRequest('Only one constraint can be used at a time.')
  return own ?? format
}

const OWN: Readonly<Record<EngineTraits['structured'], (body: JsonObject) => Constraint | undefined>> = {
  structured_outputs: ({ structured_outputs: wish }) => (isObject(wish) ? structuredOutputs(wish) : undefined),
  sglang: body => regex(body.regex) ?? grammar(body.ebnf) ?? schema(body.json_schema),
  'llama.cpp': body => grammar(body.grammar) ?? schema(body.json_schema),
}

function structuredOutputs(wish: JsonObject): Constraint | undefined {
  const kinds = ['json', 'json_object', 'regex', 'choice', 'grammar', 'structural_tag']
  const asked = kinds.filter(kind => wish[kind] !== undefined && wish[kind] !== null)
  if (asked.length !== 1) {
    throw badRequest(`You must use exactly one kind of structured outputs constraint: ${kinds.join(', ')}.`)
  }
  if (wish.json_object === true) return { kind: 'schema', schema: ANY_OBJECT }
  if (Array.isArray(wish.choice) && wish.choice.length > 0) return { kind: 'choice', values: wish.choice.map(String) }
  return schema(wish.json) ?? regex(wish.regex) ?? grammar(wish.grammar)
}

function responseFormat(format: Json | undefined): Constraint | undefined {
  if (!isObject(format)) return undefined
  switch (format.type) {
    case 'text':
    case 'structural_tag':
      return undefined
    case 'json_object':
      return schema(format.schema) ?? { kind: 'schema', schema: ANY_OBJECT }
    case 'json_schema': {
      const wish = isObject(format.json_schema) ? (format.json_schema.schema ?? null) : null
      if (!isObject(wish)) throw badRequest('response_format needs json_schema.schema', 'response_format')
      return { kind: 'schema', schema: wish }
    }
    default:
      throw badRequest('Unknown type of response_format', 'response_format')
  }
}

function schema(wish: Json | undefined): Constraint | undefined {
  const value = typeof wish === 'string' ? parseJson(wish) : wish
  return isObject(value) ? { kind: 'schema', schema: value } : undefined
}

function regex(wish: Json | undefined): Constraint | undefined {
  return typeof wish === 'string' ? { kind: 'regex', expression: wish } : undefined
}

function grammar(wish: Json | undefined): Constraint | undefined {
  return typeof wish === 'string' ? { kind: 'grammar', grammar: wish } : undefined
}
