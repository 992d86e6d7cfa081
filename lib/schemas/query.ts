/** Reads query strings with the types of a JSON Schema. */
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import type { Json, JsonObject } from '../base/json.ts'
import { fail } from '../errors/errors.ts'
import { nearest } from '../text/nearest.ts'
import { quoted, shortened } from '../text/quoted.ts'
import { newCompiler } from './compiler.ts'
import { QUERY_CHECKS } from './validators/queries.ts'
import { expected, pathOf } from './wording.ts'

/** The error code for an invalid value. The usage routes use http_400 (docs/api/errors.md#usage-routes). */
type Code = 'schema_validation_failed' | 'http_400'

let compiler: Ajv2020 | undefined

/**
 * A reader for raw query strings without `?`. `schema`: a JSON Schema object whose properties are strings, numbers,
 * integers, booleans or arrays of strings (a repeated parameter). Refuses an invalid value with `code` and an unknown
 * parameter with `unsupported_parameter`, because a misspelt filter without effect would return all rows.
 */
export function queryReader<T>(schema: JsonObject, code: Code): (raw: string) => T {
  const properties = schema.properties as Readonly<Record<string, JsonObject>>
  const validate = checkOf(schema)
  const refuse = (param: string, problem: string): never => fail(code, { problem }, { param, ownParam: true })

  return raw => {
    const query: JsonObject = {}
    const given = new URLSearchParams(raw)
    for (const parameter of new Set(given.keys())) {
      const property = Object.hasOwn(properties, parameter) ? properties[parameter] : undefined
      if (property === undefined) refuseUnknown(parameter, Object.keys(properties))
      const values = given.getAll(parameter)
      // PostgreSQL cannot store this character.
      if (values.some(value => value.includes('\0'))) refuse(parameter, `'${parameter}' must not contain U+0000.`)
      if (property.type === 'array') query[parameter] = values
      else if (values.length > 1) refuse(parameter, `'${parameter}' appears in the query ${values.length} times.`)
      else query[parameter] = fromText(values[0]!, property.type)
    }
    if (!validate(query)) {
      const error = validate.errors![0]!
      const parameter = pathOf(error)[0]!
      const problem = error.keyword === 'required' ? 'is required' : `must be ${expected([error], error)}`
      refuse(parameter, `'${parameter}' ${problem}.`)
    }
    return query as T
  }
}

/** Generated for schemas of this repository. Other schemas with an $id are compiled once, also across reloads. */
function checkOf(schema: JsonObject): ValidateFunction {
  const id = typeof schema.$id === 'string' ? schema.$id : ''
  const generated = QUERY_CHECKS[id]
  if (generated !== undefined) return generated
  compiler ??= newCompiler({ errors: 'first', fillDefaults: true, checkSchemas: false })
  return (id === '' ? undefined : compiler.getSchema(id)) ?? compiler.compile(schema)
}

function refuseUnknown(parameter: string, known: readonly string[]): never {
  const meant = nearest(parameter, known)
  const hint =
    meant === undefined
      ? known.length === 0
        ? 'there is none'
        : `known are ${known.join(', ')}`
      : `perhaps '${meant}' was meant`
  const details = { param: shortened(parameter), ownParam: true }
  fail('unsupported_parameter', { parameter: quoted(parameter), where: ` here; ${hint}` }, details)
}

/** Numbers as programming languages print them: 2.7777777777777777, 1e-05. */
const NUMBER = /^[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:e[+-]?\d{1,2})?$/i

/** The value of a text that has this type; any other text is returned unchanged, and the schema refuses it. */
function fromText(text: string, type: Json | undefined): Json {
  if (type === 'integer' && /^[+-]?\d{1,15}$/.test(text)) return Number(text)
  if (type === 'number' && NUMBER.test(text)) return Number(text)
  // Python prints True and False.
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return text
}
