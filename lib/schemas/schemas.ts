/** Checks of bodies by the schemas in schemas/bodies and schemas/shared, with generated code. */
import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { Json } from '../base/json.ts'
import { memberNames } from './body-schemas.ts'
import { type IgnoredMembers, IgnoredMembersNote } from './ignored-members.ts'
import { refuseBody } from './refusal.ts'
import { BODY_CHECKS } from './validators/bodies.ts'

/** What is ignored of the body; undefined: nothing. Refuses by throwing. */
export type BodyCheck = (body: Json) => IgnoredMembers | undefined

const note = new IgnoredMembersNote()

/**
 * A check for bodies by `schemas/bodies/<name>.json`. It leaves the body as it is and refuses with
 * invalid_json_request, unsupported_parameter or schema_validation_failed (docs/DESIGN.md#members-of-a-body).
 */
export function bodyValidator(name: string): BodyCheck {
  const validate: ValidateFunction | undefined = BODY_CHECKS[name]
  if (validate === undefined) throw new Error(`There is no schema for bodies named '${name}'.`)
  return body => {
    const isValid = validate.call(note, body)
    const ignored = note.take()
    if (!isValid) refuseBody(validate.errors ?? [], memberNames())
    return ignored
  }
}
