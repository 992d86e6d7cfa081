/** Members of a body that are ignored: which they are is noted while the body is checked against its schema. */
import type { Code, CodeKeywordDefinition, KeywordCxt } from 'ajv/dist/2020.js'
import { isObject } from '../base/json.ts'
import { segmentsOf } from './wording.ts'

/** The most members that are named; the others are counted. */
const MAX_NAMED = 8

/** A member of a body that no schema names. */
export interface IgnoredMember {
  /** Path of the object that has the member, as names and indexes that the schema knows: `['messages', '0']`. */
  readonly path: readonly string[]
  /** As the client wrote it: any text. */
  readonly name: string
}

/** What is ignored of one body. */
export interface IgnoredMembers {
  readonly count: number
  /** The first ones. */
  readonly named: readonly IgnoredMember[]
}

/** Gathers what a check notes. The checks of a compiler run one after the other: one of these is enough for all. */
export class IgnoredMembersNote {
  #count = 0
  #named: IgnoredMember[] = []

  /** Called by the keyword. `pointer`: of the object that has the member. */
  add(pointer: string, name: string): void {
    if (++this.#count <= MAX_NAMED) this.#named.push({ path: segmentsOf(pointer), name })
  }

  /** What was noted since the last call; undefined: nothing. */
  take(): IgnoredMembers | undefined {
    if (this.#count === 0) return undefined
    const taken = { count: this.#count, named: this.#named }
    this.#count = 0
    this.#named = []
    return taken
  }
}

/**
 * `x-ignore-others: [NAME …]` in a schema of an object: members that neither `properties` nor the list names are ignored, and
 * noted by add() of the `this` that the check was called with. null is as if absent. Inlined into the code of the check: an
 * object costs one comparison for each member and known name.
 */
export function ignoreOthers({ _, Name, str }: typeof import('ajv/dist/2020.js')): CodeKeywordDefinition {
  // Names in the code that Ajv generates: `this` of the check, and the pointer to the value that a referenced schema checks.
  const self = new Name('this')
  const instancePath = new Name('instancePath')
  return {
    keyword: 'x-ignore-others',
    type: 'object',
    schemaType: 'array',
    code({ gen, data, schema, parentSchema, it }: KeywordCxt) {
      const { properties } = parentSchema as { properties?: unknown }
      const known = [...Object.keys(isObject(properties) ? properties : {}), ...(schema as string[])]
      gen.forIn('name', data, name => {
        const isNamed = known.reduce<Code>(
          (others, each) => _`${name} === ${each} || ${others}`,
          _`${data}[${name}] === null`,
        )
        gen.if(_`!(${isNamed})`, () => gen.code(_`${self}.add(${str`${instancePath}${it.errorPath}`}, ${name})`))
      })
    },
  }
}
