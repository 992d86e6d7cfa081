/** Checks of bodies by the schemas in schemas/bodies and schemas/shared, with generated code. */
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import { nextTurn } from '../base/turns.ts'
import { memberNames } from './body-schemas.ts'
import { BODY_CHECKS } from './generated/bodies.ts'
import { type IgnoredMembers, IgnoredMembersNote, joined } from './ignored-members.ts'
import { refuseBody } from './refusal.ts'

/** What is ignored of the body; undefined: nothing. Refuses by throwing. */
export type BodyCheck = (body: Json) => IgnoredMembers | undefined | Promise<IgnoredMembers | undefined>

const note = new IgnoredMembersNote()

/**
 * A check for bodies by `schemas/bodies/<name>.json`. It leaves the body as it is and refuses with
 * invalid_json_request, unsupported_parameter or schema_validation_failed (docs/DESIGN.md#members-of-a-body). For a long
 * conversation it returns a promise and yields to the event loop on the way.
 */
export function bodyValidator(name: string): BodyCheck {
  const validate: ValidateFunction | undefined = BODY_CHECKS[name]
  if (validate === undefined) throw new Error(`There is no schema for bodies named '${name}'.`)
  return body => {
    if (isObject(body)) {
      const member = CONVERSATION_LISTS.find(name => isLong(body[name]))
      if (member !== undefined) return checkInParts(validate, body, member)
    }
    const isValid = validate.call(note, body)
    const ignored = note.take()
    if (!isValid) refuseBody(validate.errors ?? [], memberNames())
    return ignored
  }
}

/** Lists whose items are checked independently, so that a long one can be checked in parts. */
const CONVERSATION_LISTS = ['messages', 'input'] as const

/** Checked within one to two milliseconds. */
const ITEMS_AT_ONCE = 1000

function isLong(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > ITEMS_AT_ONCE && isObject(value[0])
}

async function checkInParts(
  validate: ValidateFunction,
  body: JsonObject,
  member: string,
): Promise<IgnoredMembers | undefined> {
  const items = body[member] as Json[]
  let all: IgnoredMembers | undefined
  for (let first = 0; first < items.length; first += ITEMS_AT_ONCE) {
    await nextTurn()
    const part = { ...body, [member]: items.slice(first, first + ITEMS_AT_ONCE) }
    const isValid = validate.call(note, part)
    const ignored = note.take()
    if (!isValid)
      refuseBody(
        (validate.errors ?? []).map(error => movedBy(error, member, first)),
        memberNames(),
      )
    all = joined(all, first === 0 ? ignored : ofItems(ignored, member, first))
  }
  return all
}

/** Without what stands beside the list, which was noted with the first part. */
function ofItems(ignored: IgnoredMembers | undefined, member: string, first: number): IgnoredMembers | undefined {
  if (ignored === undefined) return undefined
  const named = ignored.named.filter(({ path }) => path[0] === member)
  const count = ignored.count - (ignored.named.length - named.length)
  return { count, named: named.map(({ path, name }) => ({ path: moved(path, first), name })) }
}

/** A path in a list of which `count` items are left out. */
function moved([member = '', index, ...rest]: readonly string[], count: number): readonly string[] {
  return [member, String(Number(index) + count), ...rest]
}

/** The error of a part, as it would be for the whole list. */
function movedBy(error: ErrorObject, member: string, count: number): ErrorObject {
  const [, name, index, ...rest] = error.instancePath.split('/')
  if (name !== member || index === undefined) return error
  return { ...error, instancePath: ['', name, Number(index) + count, ...rest].join('/') }
}
