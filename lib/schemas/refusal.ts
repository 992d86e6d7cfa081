/** The refusal of a body that does not fit its schema: names the member and what it accepts, and never quotes a value. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { fail } from '../errors/errors.ts'
import { expected, pathOf } from './wording.ts'

/** Names of members in messages are cut: clients choose them. */
const MAX_NAME = 64

/** Keywords whose errors only say that something inside them failed. */
const WRAPPERS = new Set(['if', 'anyOf', 'oneOf', 'discriminator'])

export function refuseBody(errors: readonly ErrorObject[]): never {
  const error = mostSpecific(errors)
  const path = pathOf(error).map(shortened)
  if (path.length === 0) fail('invalid_json_request', { problem: `The body must be ${expected(errors, error)}.` })
  const param = path.join('.')
  const details = { param, ownParam: true }
  switch (error.keyword) {
    case 'required':
      return path.length === 1
        ? fail('invalid_json_request', { problem: `The body lacks the required field '${param}'.` }, details)
        : fail('schema_validation_failed', { problem: `'${param}' is required.` }, details)
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'false schema':
      return fail('unsupported_parameter', { parameter: param, where: '' }, details)
    default:
      return fail('schema_validation_failed', { problem: `'${param}' must be ${expected(errors, error)}.` }, details)
  }
}

/** The deepest error, because the branch of a choice that got furthest was meant. Among equals, one that got past the type. */
function mostSpecific(errors: readonly ErrorObject[]): ErrorObject {
  // Ajv checks enum and const too where the type is wrong.
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === 'type').map(schemaOf))
  const [first, ...others] = errors.filter(
    error => !WRAPPERS.has(error.keyword) && (error.keyword === 'type' || !mistyped.has(schemaOf(error))),
  )
  let best = first ?? errors[0]!
  for (const error of others) {
    const deeper = pathOf(error).length - pathOf(best).length
    if (deeper > 0 || (deeper === 0 && best.keyword === 'type' && error.keyword !== 'type')) best = error
  }
  return best
}

/** Identifies the schema that a keyword is in, together with the value that was checked. */
function schemaOf({ instancePath, schemaPath }: ErrorObject): string {
  return `${instancePath} ${schemaPath.slice(0, schemaPath.lastIndexOf('/'))}`
}

function shortened(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name
}
