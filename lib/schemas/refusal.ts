/** The refusal of a body that does not fit its schema: names the member and what it accepts, and never quotes a value. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { fail } from '../errors/errors.ts'
import { lengthOf, QuotingText, shortened, words } from '../text/quoted.ts'
import { expected, pathOf } from './wording.ts'

/** Names that schemas give to members, and those of members whose own members are free, as in a map of numbers by token. */
export interface MemberNames {
  readonly known: ReadonlySet<string>
  readonly free: ReadonlySet<string>
}

/** Keywords whose errors only say that something inside them failed. */
const WRAPPERS = new Set(['if', 'anyOf', 'oneOf', 'discriminator'])

/** `names`: those of the schemas. Any other name in a path is the client's. */
export function refuseBody(errors: readonly ErrorObject[], names: MemberNames): never {
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
    case 'unevaluatedProperties':
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

/** A path with dots, in which the names that the client chose are marked. */
function memberText(path: readonly string[], { known, free }: MemberNames): QuotingText {
  const isOwn = (name: string, index: number) =>
    (known.has(name) || /^\d+$/.test(name)) && (index === 0 || !free.has(path[index - 1]!))
  const withoutNames = path.map((name, index) => (isOwn(name, index) ? name : lengthOf(name)))
  return new QuotingText(path.map(name => shortened(name)).join('.'), withoutNames.join('.'))
}
