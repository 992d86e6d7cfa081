import { isObject, type Json, type JsonObject } from '../../../lib/plugin.ts'
import { DATA, DYNAMIC, MAPS } from './keywords.ts'
import { formatPointer, parsePointer, resolvePointer } from './pointer.ts'
import { settleSiblings } from './siblings.ts'

/** What is left for the schemas of one request. The numbers count down; below zero the request is refused. */
export interface Budget {
  /** Values of the expanded schemas. */
  values: number
  /** Characters of the expanded schemas as JSON, approximately. */
  characters: number
  /** Estimated time of the library, in microseconds. */
  work: number
}

/** Most work for one schema, in microseconds: the library inlines it without yielding to the event loop. */
const WORK_PER_SCHEMA = 50_000
/** Measured with version 16 of the library: 3 µs for a member, 20 for a reference and 8 for each reference that it leads through. */
const MEMBER_WORK = 3
const REFERENCE_WORK = 20
const HOP_WORK = 8
/** The library writes out the path of every member, so that long names cost time. */
const PATH_CHARACTERS_PER_WORK = 250
/** References that lead to a reference, one after the other. */
const MAX_HOPS = 8
const MAX_REFERENCE_LENGTH = 1024

/** Why a schema is refused, in words that may be sent to the client. */
export class Unsupported extends Error {}

/**
 * One walk over a schema as it was sent, before the library inlines its references. Throws Unsupported for references that are not local,
 * and where the library would take too long. Gives every reference one spelling and settles its siblings.
 */
export class References {
  /** Values that are data: members named `$ref` in them are no references. */
  readonly data = new Set<unknown>()
  readonly #targets = new Set<Json>()
  readonly #root: JsonObject
  readonly #budget: Budget
  #workLeft: number
  /** Number of enclosing schemas with a base URI of their own, where `#/` means another document. */
  #embedded = 0

  constructor(root: JsonObject, budget: Budget) {
    this.#root = root
    this.#budget = budget
    this.#workLeft = Math.min(budget.work, WORK_PER_SCHEMA)
    this.#walk(root, 0)
    for (const target of this.#targets) {
      if (isObject(target) && this.data.has(target))
        throw new Unsupported('a reference leads to data instead of a schema')
    }
  }

  get found(): boolean {
    return this.#targets.size > 0
  }

  /** `path`: characters of the names around the value. */
  #walk(value: Json | undefined, path: number): void {
    if (typeof value !== 'object' || value === null) return
    if (!Array.isArray(value)) return this.#schema(value, path)
    this.#members(value.length, path)
    for (const item of value) this.#walk(item, path + 1)
  }

  #schema(schema: JsonObject, path: number): void {
    const embedded = schema !== this.#root && typeof schema.$id === 'string' && !schema.$id.startsWith('#')
    if (embedded) this.#embedded++
    const names = Object.keys(schema)
    this.#members(names.length, path)
    for (const name of names) {
      if (DYNAMIC.has(name)) throw new Unsupported('a reference is dynamic')
      const value = schema[name]
      if (DATA.has(name)) this.data.add(value)
      else if (MAPS.has(name) && isObject(value)) this.#map(value, path + name.length)
      else this.#walk(value, path + name.length)
    }
    // Last, because settling its siblings changes the members.
    if (schema.$ref !== undefined) this.#reference(schema)
    if (embedded) this.#embedded--
  }

  #map(map: JsonObject, path: number): void {
    if (typeof map.$ref === 'string') throw new Unsupported('a reference stands in for a map of schemas')
    const names = Object.keys(map)
    this.#members(names.length, path)
    for (const name of names) this.#walk(map[name], path + name.length)
  }

  #reference(schema: JsonObject): void {
    if (this.#embedded > 0) throw new Unsupported('a reference stands inside a schema with an $id of its own')
    const { target, spelled } = this.#resolve(schema.$ref)
    this.#targets.add(target)
    let hops = 1
    let end = target
    // A reference with siblings becomes an object, whatever it leads to.
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
    this.#work(REFERENCE_WORK + hops * HOP_WORK + merged * MEMBER_WORK)
    schema.$ref = spelled
    settleSiblings(schema, target, isObjectAtEnd || isObject(end))
  }

  /** The target, and the reference in a spelling that no URL parser reads differently. */
  #resolve(reference: Json | undefined): { readonly target: JsonObject | boolean; readonly spelled: string } {
    if (typeof reference !== 'string' || !reference.startsWith('#/')) {
      throw new Unsupported("a reference does not begin with '#/'")
    }
    const tokens = reference.length > MAX_REFERENCE_LENGTH ? undefined : parsePointer(reference)
    const target = tokens === undefined ? undefined : resolvePointer(this.#root, tokens)
    if (tokens === undefined || (typeof target !== 'boolean' && !isObject(target)))
      throw new Unsupported('a reference leads to no schema')
    const spelled = formatPointer(tokens)
    if (spelled === undefined) throw new Unsupported('a reference is no valid text')
    return { target, spelled }
  }

  #members(count: number, path: number): void {
    this.#work(count * (MEMBER_WORK + path / PATH_CHARACTERS_PER_WORK))
  }

  #work(microseconds: number): void {
    this.#budget.work -= microseconds
    this.#workLeft -= microseconds
    if (this.#workLeft < 0) throw new Unsupported('there are too many of them')
  }
}
