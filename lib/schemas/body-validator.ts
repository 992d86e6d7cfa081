/** Checks of bodies against schemas/bodies and schemas/shared, by generated code. */
import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { Json } from '../base/json.ts'
import { memberNames, topLevelMembers } from './body-schemas.ts'
import { refuseBody } from './refusal.ts'
import { BODY_CHECKS } from './validators/bodies.ts'
import { segmentsOf } from './wording.ts'

/** Maximum number of members that are named. Further ones are only counted. */
const MAX_NAMED = 8

/** A member of a body that no schema names. */
interface IgnoredMember {
  /** Path of the object that has the member, as names and indexes that the schema knows: `['messages', '0']`. */
  readonly path: readonly string[]
  /** As the client wrote it: any text. */
  readonly name: string
}

/** The members of one body that are ignored. */
export interface IgnoredMembers {
  readonly count: number
  /** The first ones. */
  readonly named: readonly IgnoredMember[]
}

/** Collects ignored members. One instance serves all checks, because checks are synchronous. */
class IgnoredMembersCollector {
  #count = 0
  #named: IgnoredMember[] = []

  /** Called by generated code (`x-ignore-others`). `pointer`: JSON pointer of the object that has the member. */
  add(pointer: string, name: string): void {
    if (++this.#count <= MAX_NAMED) this.#named.push({ path: segmentsOf(pointer), name })
  }

  /** The members since the last call; undefined: none. */
  take(): IgnoredMembers | undefined {
    if (this.#count === 0) return undefined
    const taken = { count: this.#count, named: this.#named }
    this.#count = 0
    this.#named = []
    return taken
  }
}

const collector = new IgnoredMembersCollector()

/**
 * A check of bodies against `schemas/bodies/<name>.json`. It returns the members that are ignored, or undefined, and
 * throws invalid_json_request, unsupported_parameter or schema_validation_failed (docs/DESIGN.md#members-of-a-body).
 */
export function bodyValidator(name: string): (body: Json) => IgnoredMembers | undefined {
  const validate: ValidateFunction | undefined = BODY_CHECKS[name]
  if (validate === undefined) throw new Error(`There is no schema for bodies named '${name}'.`)
  let members: readonly string[] | undefined
  return body => {
    const isValid = validate.call(collector, body)
    const ignored = collector.take()
    if (isValid) return ignored
    members ??= topLevelMembers(name)
    return refuseBody(validate.errors ?? [], memberNames(), members)
  }
}
