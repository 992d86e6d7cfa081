/** The schemas in schemas/bodies and schemas/shared: read once, each compiled on first use. */

import { readdirSync, readFileSync } from 'node:fs'
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import { nextTurn } from '../base/turns.ts'
import { newCompiler } from './compiler.ts'
import { acceptNulls } from './nulls.ts'
import { refuseBody } from './refusal.ts'

const DIRECTORY = new URL('../../schemas/', import.meta.url)

const compiler = compileSchemas()

/**
 * A check for bodies by `schemas/bodies/<name>.json`. It leaves the body as it is and refuses with
 * invalid_json_request, unsupported_parameter or schema_validation_failed (docs/DESIGN.md#members-of-a-body). For a long
 * conversation it returns a promise and yields to the event loop on the way.
 */
export function bodyValidator(name: string): (body: Json) => undefined | Promise<undefined> {
  const validate: ValidateFunction | undefined = compiler.getSchema(`gateway:/bodies/${name}.json`)
  if (validate === undefined) throw new Error(`There is no schema for bodies named '${name}'.`)
  return body => {
    if (isObject(body)) {
      const member = CONVERSATION_LISTS.find(name => isLong(body[name]))
      if (member !== undefined) return checkInParts(validate, body, member)
    }
    if (!validate(body)) refuseBody(validate.errors ?? [])
  }
}

/** Lists whose items are checked independently, so that a long one can be checked in parts. */
const CONVERSATION_LISTS = ['messages', 'input'] as const

/** Checked within one to two milliseconds. */
const ITEMS_AT_ONCE = 1000

function isLong(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > ITEMS_AT_ONCE && isObject(value[0])
}

async function checkInParts(validate: ValidateFunction, body: JsonObject, member: string): Promise<undefined> {
  const items = body[member] as Json[]
  for (let first = 0; first < items.length; first += ITEMS_AT_ONCE) {
    await nextTurn()
    const part = { ...body, [member]: items.slice(first, first + ITEMS_AT_ONCE) }
    if (!validate(part)) refuseBody((validate.errors ?? []).map(error => movedBy(error, member, first)))
  }
}

/** The error of a part, as it would be for the whole list. */
function movedBy(error: ErrorObject, member: string, count: number): ErrorObject {
  const [, name, index, ...rest] = error.instancePath.split('/')
  if (name !== member || index === undefined) return error
  return { ...error, instancePath: ['', name, Number(index) + count, ...rest].join('/') }
}

/** The schema in `schemas/<path>.json`, unchanged. */
export function readSchema(path: string): JsonObject {
  return JSON.parse(readFileSync(new URL(`${path}.json`, DIRECTORY), 'utf8')) as JsonObject
}

/** Names of the schemas in `schemas/<folder>`, without extension. */
export function schemaNames(folder: string): readonly string[] {
  return readdirSync(new URL(`${folder}/`, DIRECTORY)).flatMap(file =>
    file.endsWith('.json') ? file.slice(0, -5) : [],
  )
}

function compileSchemas(): Ajv2020 {
  const ajv = newCompiler({ errors: 'first', fillDefaults: false, checkSchemas: false })
  for (const folder of ['shared', 'bodies']) {
    for (const name of schemaNames(folder)) {
      const schema = acceptNulls(readSchema(`${folder}/${name}`))
      if (isObject(schema)) ajv.addSchema(schema)
    }
  }
  return ajv
}
