import { isObject, type Json, type JsonObject, parseJson } from '../lib/base/json.ts'
import type { EngineTraits } from './engine-traits.ts'
import { sampleGrammar } from './grammar-sample.ts'
import { PatternError } from './pattern.ts'
import { pick, type Random } from './random.ts'
import { badRequest } from './refusal.ts'
import type { Sampler } from './sampler.ts'

/** The required form of an answer. */
type Constraint =
  | { readonly kind: 'schema'; readonly schema: JsonObject }
  | { readonly kind: 'regex'; readonly expression: string }
  | { readonly kind: 'grammar'; readonly grammar: string }
  | { readonly kind: 'choice'; readonly values: readonly string[] }

const ANY_OBJECT: JsonObject = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] }

/** A text that satisfies the constraint. Throws a Refusal if there is none or the constraint is invalid. */
export async function satisfy(constraint: Constraint, sampler: Sampler, random: Random): Promise<string> {
  try {
    switch (constraint.kind) {
      case 'schema':
        return await sampler.schema(constraint.schema, random)
      case 'regex':
        return await sampler.regex(constraint.expression, random)
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
 * The constraint of a body, from the members that this engine reads. Other members are ignored, as by the engine.
 * Throws a Refusal if there are two constraints.
 */
export function constraintOf(body: JsonObject, engine: EngineTraits, route: 'chat' | 'text'): Constraint | undefined {
  const own = OWN[engine.structured](body)
  const reads = route === 'chat' || engine.structured !== 'llama.cpp'
  const format = reads ? responseFormat(body.response_format) : undefined
  if (own !== undefined && format !== undefined) throw badRequest('Only one constraint can be used at a time.')
  return own ?? format
}

const OWN: Readonly<Record<EngineTraits['structured'], (body: JsonObject) => Constraint | undefined>> = {
  structured_outputs: ({ structured_outputs: params }) => (isObject(params) ? structuredOutputs(params) : undefined),
  sglang: body => regex(body.regex) ?? grammar(body.ebnf) ?? schema(body.json_schema),
  'llama.cpp': body => grammar(body.grammar) ?? schema(body.json_schema),
}

function structuredOutputs(params: JsonObject): Constraint | undefined {
  const kinds = ['json', 'json_object', 'regex', 'choice', 'grammar', 'structural_tag']
  const asked = kinds.filter(kind => params[kind] !== undefined && params[kind] !== null)
  if (asked.length !== 1) {
    throw badRequest(`You must use exactly one kind of structured outputs constraint: ${kinds.join(', ')}.`)
  }
  if (params.json_object === true) return { kind: 'schema', schema: ANY_OBJECT }
  if (Array.isArray(params.choice) && params.choice.length > 0)
    return { kind: 'choice', values: params.choice.map(String) }
  return schema(params.json) ?? regex(params.regex) ?? grammar(params.grammar)
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
      const body = isObject(format.json_schema) ? (format.json_schema.schema ?? null) : null
      if (!isObject(body)) throw badRequest('response_format needs json_schema.schema', 'response_format')
      return { kind: 'schema', schema: body }
    }
    default:
      throw badRequest('Unknown type of response_format', 'response_format')
  }
}

function schema(value: Json | undefined): Constraint | undefined {
  const parsed = typeof value === 'string' ? parseJson(value) : value
  return isObject(parsed) ? { kind: 'schema', schema: parsed } : undefined
}

function regex(value: Json | undefined): Constraint | undefined {
  return typeof value === 'string' ? { kind: 'regex', expression: value } : undefined
}

function grammar(value: Json | undefined): Constraint | undefined {
  return typeof value === 'string' ? { kind: 'grammar', grammar: value } : undefined
}
