/** Bodies of requests to the operators' API: small JSON objects, checked by the schema of the route. */
import type { IncomingMessage } from 'node:http'
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import { isObject, type JsonObject, parseJson } from '../base/json.ts'
import { refuseCoding } from '../body/index.ts'
import { fail } from '../errors/errors.ts'
import { readText } from '../http/read-text.ts'
import { newCompiler } from '../schemas/compiler.ts'
import { readSchema } from '../schemas/read.ts'
import { refuseBody } from '../schemas/refusal.ts'

/** Enough for the longest list of members. */
const MAX_BYTES = 1_000_000

let compiler: Ajv2020 | undefined

/** A check by `schemas/admin/<name>.json`. It refuses with the same errors as other routes. */
export function bodyCheck(name: string): (body: unknown) => void {
  const schema = readSchema(`admin/${name}`)
  const names = { known: new Set(Object.keys(schema.properties as JsonObject)), free: new Set<string>() }
  return body => {
    const validate = validatorOf(schema)
    if (!validate(body)) refuseBody(validate.errors ?? [], names, [...names.known])
  }
}

/** Compiled with the first body: most gateways start more often than an operator sends a body. */
function validatorOf(schema: JsonObject): ValidateFunction {
  compiler ??= newCompiler({ errors: 'first', fillDefaults: false, checkSchemas: false })
  return compiler.getSchema(String(schema.$id)) ?? compiler.compile(schema)
}

/** The JSON object in the body. An empty body is an empty object. */
export async function readBody(req: IncomingMessage): Promise<unknown> {
  refuseCoding(req.headers)
  const text = await readText(req, MAX_BYTES)
  if (text === '') return {}
  const body = parseJson(text)
  if (!isObject(body)) fail('invalid_json_request', { problem: 'The body must be a JSON object.' })
  return body
}
