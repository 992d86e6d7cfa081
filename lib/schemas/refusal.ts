/** The error for a body that does not match its schema. It names the member and the accepted values, but no value. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { fail } from '../errors/errors.ts'
import { nearest } from '../text/nearest.ts'
import { lengthOf, QuotingText, shortened, words } from '../text/quoted.ts'
import { expected, pathOf } from './wording.ts'

export interface MemberNames {
  readonly known: ReadonlySet<string>
  /** Members whose own members may have any name, such as `logit_bias`. */
  readonly free: ReadonlySet<string>
}

/** Keywords whose errors only report that a schema inside them failed. */
const WRAPPERS = new Set(['if', 'anyOf', 'oneOf', 'discriminator'])

/**
 * `names`: the names in schemas. Any other name in a path is a name of the client. `members`: those of the top level,
 * of which the message suggests one instead of a misspelt one.
 */
export function refuseBody(errors: readonly ErrorObject[], names: MemberNames, members: readonly string[]): never {
  const error = mostSpecific(errors)
  const path = pathOf(error)
  if (path.length === 0) fail('invalid_json_request', { problem: `The body must be ${expected(errors, error)}.` })
  const member = memberText(path, names)
  const param = member.full
  const details = { param, ownParam: true }
  switch (error.keyword) {
    case 'required':
      return path.length === 1
        ? fail('invalid_json_request', { problem: words`The body lacks the required field '${member}'.` }, details)
        : fail('schema_validation_failed', { problem: words`'${member}' is required.` }, details)
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const meant = path.length === 1 ? nearest(path[0]!, members) : undefined
      const where = meant === undefined ? '' : `; perhaps '${meant}' was meant`
      return fail('unsupported_parameter', { parameter: member, where }, details)
    }
    case 'false schema':
      return fail('unsupported_parameter', { parameter: member, where: '' }, details)
    default:
      return fail(
        'schema_validation_failed',
        { problem: words`'${member}' must be ${expected(errors, error)}.` },
        details,
      )
  }
}

/** The deepest error, because its branch of a choice is the most likely one. Among equals, one whose type is valid. */
function mostSpecific(errors: readonly ErrorObject[]): ErrorObject {
  // Ajv also checks enum and const of a value with a wrong type.
  const mistyped = new Set(errors.filter(({ keyword }) => keyword === 'type').map(schemaOf))
  const candidates = errors.filter(
    error => !WRAPPERS.has(error.keyword) && (error.keyword === 'type' || !mistyped.has(schemaOf(error))),
  )
  const [first, ...others] = candidates
  let best = first ?? errors[0]!
  for (const error of others) {
    const deeper = pathOf(error).length - pathOf(best).length
    if (deeper > 0 || (deeper === 0 && best.keyword === 'type' && error.keyword !== 'type')) best = error
  }
  // A branch with another type of first item is not meant: one whose array is too long fits, and is not deeper.
  const isTooLong = ({ keyword, instancePath }: ErrorObject) =>
    keyword === 'maxItems' && best.keyword === 'type' && best.instancePath === `${instancePath}/0`
  return candidates.find(isTooLong) ?? best
}

/** Identifies the schema of a keyword and the checked value. */
function schemaOf({ instancePath, schemaPath }: ErrorObject): string {
  return `${instancePath} ${schemaPath.slice(0, schemaPath.lastIndexOf('/'))}`
}

/** A path with dots. Names of the client are marked as quotes. */
function memberText(path: readonly string[], { known, free }: MemberNames): QuotingText {
  const isOwn = (name: string, index: number) =>
    (known.has(name) || /^\d+$/.test(name)) && (index === 0 || !free.has(path[index - 1]!))
  const withoutNames = path.map((name, index) => (isOwn(name, index) ? name : lengthOf(name)))
  return new QuotingText(path.map(name => shortened(name)).join('.'), withoutNames.join('.'))
}
