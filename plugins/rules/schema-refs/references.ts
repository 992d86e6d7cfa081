import { isObject, type Json, type JsonObject } from '../../../lib/plugin.ts'
import { DATA, DYNAMIC, groupOf, MAPS } from './keywords.ts'

/** Remaining limits for the schemas of one request. The numbers count down; the request is refused below zero. */
export interface SchemaLimits {
  /** Values of the expanded schemas. */
  values: number
  /** Characters of the expanded schemas as JSON, approximately. */
  characters: number
  /** Estimated CPU time of the library. */
  workMicros: number
}

/** Work for one schema: the library inlines it without yielding to the event loop. */
const MAX_SCHEMA_MICROS = 50_000
/** Microseconds for a member, for a reference, and for each further one in a chain (version 16 of the library). */
const MEMBER_MICROS = 3
const REFERENCE_MICROS = 20
const HOP_MICROS = 8
/** The library writes out the path of every member, so long names cost time. */
const PATH_CHARACTERS_PER_MICRO = 250
/** Length of a chain of references that refer to references. */
const MAX_HOPS = 8
const MAX_REFERENCE_LENGTH = 1024

/** The reason why a schema is refused. Its message may be sent to the client. */
export class Unsupported extends Error {}

/**
 * Prepares a schema for the library that inlines references: normalises their spelling and their siblings. Throws
 * Unsupported for references that are not local, and for schemas that would take the library too long.
 */
export class References {
  /** Values that are data: members named `$ref` in them are no references. */
  readonly data = new Set<unknown>()
  readonly #targets = new Set<Json>()
  readonly #root: JsonObject
  readonly #limits: SchemaLimits
  #microsLeft: number
  /** Number of enclosing schemas that have an `$id`, in which `#/` refers to another document. */
  #embedded = 0

  constructor(root: JsonObject, limits: SchemaLimits) {
    this.#root = root
    this.#limits = limits
    this.#microsLeft = Math.min(limits.workMicros, MAX_SCHEMA_MICROS)
    this.#walk(root, 0)
    for (const target of this.#targets) {
      if (isObject(target) && this.data.has(target))
        throw new Unsupported('a reference leads to data instead of a schema')
    }
  }

  get found(): boolean {
    return this.#targets.size > 0
  }

  /** `path`: characters of the path to the value. */
  #walk(value: Json | undefined, path: number): void {
    if (typeof value !== 'object' || value === null) return
    if (!Array.isArray(value)) return this.#schema(value, path)
    this.#members(value.length, path)
    for (const item of value) this.#walk(item, path + 1)
  }

  #schema(schema: JsonObject, path: number): void {
    const isEmbedded = schema !== this.#root && typeof schema.$id === 'string' && !schema.$id.startsWith('#')
    if (isEmbedded) this.#embedded++
    const names = Object.keys(schema)
    this.#members(names.length, path)
    for (const name of names) {
      if (DYNAMIC.has(name)) throw new Unsupported('a reference is dynamic')
      const value = schema[name]
      if (DATA.has(name)) this.data.add(value)
      else if (MAPS.has(name) && isObject(value)) this.#map(value, path + name.length)
      else this.#walk(value, path + name.length)
    }
    // Last, because it changes the members.
    if (schema.$ref !== undefined) this.#reference(schema)
    if (isEmbedded) this.#embedded--
  }

  #map(map: JsonObject, path: number): void {
    if (typeof map.$ref === 'string') throw new Unsupported('a reference replaces a map of schemas')
    const names = Object.keys(map)
    this.#members(names.length, path)
    for (const name of names) this.#walk(map[name], path + name.length)
  }

  #reference(schema: JsonObject): void {
    if (this.#embedded > 0) throw new Unsupported('a reference is inside a schema with its own $id')
    const { target, pointer } = this.#resolve(schema.$ref)
    this.#targets.add(target)
    let hops = 1
    let end = target
    // A reference with siblings becomes an object, whatever its target is.
    let isObjectAtEnd = false
    for (; isObject(end) && end.$ref !== undefined; hops++) {
      if (hops > MAX_HOPS)
        throw new Unsupported(`a reference is recursive, or leads on over more than ${MAX_HOPS} others`)
      isObjectAtEnd ||= Object.keys(end).length > 1
      end = this.#resolve(end.$ref).target
    }
    const siblings = Object.keys(schema).length - 1
    // The library merges siblings into a copy of the target.
    const merged = siblings > 0 && isObject(end) ? Object.keys(end).length : 0
    this.#spend(REFERENCE_MICROS + hops * HOP_MICROS + merged * MEMBER_MICROS)
    schema.$ref = pointer
    settleSiblings(schema, target, isObjectAtEnd || isObject(end))
  }

  /** The target, and the reference in a normalised spelling. */
  #resolve(reference: Json | undefined): { readonly target: JsonObject | boolean; readonly pointer: string } {
    if (typeof reference !== 'string' || !reference.startsWith('#/')) {
      throw new Unsupported("a reference does not begin with '#/'")
    }
    const tokens = reference.length > MAX_REFERENCE_LENGTH ? undefined : parsePointer(reference)
    const target = tokens === undefined ? undefined : resolvePointer(this.#root, tokens)
    if (tokens === undefined || (typeof target !== 'boolean' && !isObject(target)))
      throw new Unsupported('a reference leads to no schema')
    const pointer = formatPointer(tokens)
    if (pointer === undefined) throw new Unsupported('a reference is no valid text')
    return { target, pointer }
  }

  #members(count: number, path: number): void {
    this.#spend(count * (MEMBER_MICROS + path / PATH_CHARACTERS_PER_MICRO))
  }

  #spend(micros: number): void {
    this.#limits.workMicros -= micros
    this.#microsLeft -= micros
    if (this.#microsLeft < 0) throw new Unsupported('there are too many of them')
  }
}

/** Tokens of a reference `#/a/b`, decoded; undefined: an escape is malformed. */
function parsePointer(reference: string): string[] | undefined {
  try {
    return decodeURIComponent(reference.slice(2))
      .split('/')
      .map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'))
  } catch {
    return undefined
  }
}

/** A reference to these tokens that every URL parser reads alike; undefined: the tokens are not well-formed Unicode. */
function formatPointer(tokens: readonly string[]): string | undefined {
  try {
    return `#/${tokens.map(token => encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
  } catch {
    return undefined
  }
}

/** The value that a JSON pointer refers to (RFC 6901). Does not follow references on its path. */
function resolvePointer(root: JsonObject, tokens: readonly string[]): Json | undefined {
  let value: Json | undefined = root
  for (const token of tokens) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined
    value = (value as JsonObject)[token]
  }
  return value
}

/**
 * Prepares a `$ref` with siblings for inlining. In draft 2020-12 both apply. The library merges siblings into the
 * target, which gives the flat schemas that engines compile best. If a sibling and the target have constraints of one
 * group, the reference moves into `allOf` instead.
 *
 * `becomesObject`: the inlined target is an object, not `true` or `false`.
 */
function settleSiblings(schema: JsonObject, target: Json, becomesObject: boolean): void {
  if (Object.keys(schema).length === 1 || (becomesObject && !clashes(schema, target))) return
  const { allOf } = schema
  schema.allOf = [...(Array.isArray(allOf) ? allOf : []), { $ref: schema.$ref! }]
  delete schema.$ref
}

function clashes(schema: JsonObject, target: Json): boolean {
  const constraining = Object.keys(schema).filter(name => groupOf(name) !== undefined)
  // The constraints of a target that is a reference are not known here.
  if (!isObject(target) || target.$ref !== undefined) return constraining.length > 0
  const taken = new Set(Object.keys(target).map(groupOf))
  return constraining.some(name => taken.has(groupOf(name)) && !isSame(schema[name], target[name]))
}

/** True for equal scalars, because a constraint may be repeated. Objects count as different. */
function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return typeof one !== 'object' && one === other
}
