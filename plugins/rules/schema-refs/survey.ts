import { isObject, type Json, type JsonObject } from '../../../lib/plugin.ts'
import { MAX_SCHEMA_DEPTH } from '../schema-budget.ts'
import { DATA, DYNAMIC, MAPS } from './keywords.ts'
import { formatPointer, parsePointer, resolvePointer } from './pointer.ts'
import { settleSiblings } from './siblings.ts'

/** What the schemas of one request may cost together. Figures count down; below zero the request is refused. */
export interface Budget {
  /** Values of the expanded schemas. */
  values: number
  /** Characters of the expanded schemas as JSON, approximately. */
  characters: number
  /** Microseconds that the library will take, estimated. */
  work: number
}

/** One schema is inlined in one go: for so many microseconds the event loop serves nobody else. */
const WORK_PER_SCHEMA = 50_000
/** Measured with version 16 of the library: 3 µs for a member, 17 for a reference and 8 more for each hop to its target. */
const MEMBER_WORK = 3
const REFERENCE_WORK = 20
const HOP_WORK = 8
/** The library writes out the path of every member, so long names cost where there are few. */
const PATH_CHARACTERS_PER_WORK = 250
/** A reference that leads to a reference makes a hop. */
const MAX_HOPS = 8
const MAX_REFERENCE_LENGTH = 1024

/** Why a schema is refused, in words that may be sent. */
export class Unsupported extends Error {}

/**
 * Walks a schema as it will be when every reference has been inlined, and throws Unsupported where that cannot or should
 * not be done. The walk stops with the budget, so it cannot be made expensive. On the way every reference gets one
 * spelling and its siblings are settled: the library is left nothing to interpret, and its work is known.
 */
export class Survey {
  /** Objects that are data, whatever they look like. */
  readonly data = new Set<unknown>()
  readonly #root: JsonObject
  readonly #budget: Budget
  #workLeft: number
  readonly #visited = new Set<object>()
  /** References that have been settled, and what they lead to. */
  readonly #targets = new Map<JsonObject, Json>()
  /** What the walk is inside of. */
  readonly #open = new Set<object>()
  /** How many of those have a base URI of their own, in which `#/` means something else. */
  #embedded = 0

  constructor(root: JsonObject, budget: Budget) {
    this.#root = root
    this.#budget = budget
    this.#workLeft = Math.min(budget.work, WORK_PER_SCHEMA)
    this.#walk(root, 0, 0)
    for (const target of this.#targets.values()) {
      if (this.data.has(target)) throw new Unsupported('a reference leads to data instead of a schema')
    }
  }

  /** How many references there are. */
  get references(): number {
    return this.#targets.size
  }

  #walk(value: Json | undefined, depth: number, path: number): void {
    this.#count(value)
    if (typeof value !== 'object' || value === null) return
    if (depth > MAX_SCHEMA_DEPTH)
      throw new Unsupported(`the schema is nested more than ${MAX_SCHEMA_DEPTH} levels deep`)
    if (this.#open.has(value)) throw new Unsupported('a reference is recursive')
    this.#open.add(value)
    if (Array.isArray(value)) {
      this.#enter(value, value.length, path)
      for (const item of value) this.#walk(item, depth + 1, path + 1)
    } else {
      this.#schema(value, depth, path)
    }
    this.#open.delete(value)
  }

  #schema(schema: JsonObject, depth: number, path: number): void {
    const embedded = schema !== this.#root && typeof schema.$id === 'string' && !schema.$id.startsWith('#')
    if (embedded) this.#embedded++
    const target = schema.$ref === undefined ? undefined : this.#settle(schema)
    const names = Object.keys(schema)
    this.#enter(schema, names.length, path)
    if (schema.$ref !== undefined) this.#walk(target, depth + 1, path)
    for (const name of names) {
      const value = schema[name]
      this.#count(name)
      if (DYNAMIC.has(name)) throw new Unsupported('a reference is dynamic')
      if (DATA.has(name)) this.#skip(value)
      else if (MAPS.has(name) && isObject(value)) this.#map(value, depth + 1, path + name.length)
      else if (name !== '$ref') this.#walk(value, depth + 1, path + name.length)
    }
    if (embedded) this.#embedded--
  }

  #map(map: JsonObject, depth: number, path: number): void {
    // The library would take it for a reference.
    if (typeof map.$ref === 'string') throw new Unsupported('a reference stands in for a map of schemas')
    const names = Object.keys(map)
    this.#enter(map, names.length, path)
    for (const name of names) {
      this.#count(name)
      this.#walk(map[name], depth + 1, path + name.length)
    }
  }

  #skip(value: Json | undefined): void {
    this.#count(value)
    if (typeof value !== 'object' || value === null) return
    this.data.add(value)
    this.#skipMembers(value)
  }

  #skipMembers(value: Json[] | JsonObject): void {
    for (const [name, member] of Object.entries(value)) {
      this.#count(name)
      this.#count(member)
      if (typeof member === 'object' && member !== null) this.#skipMembers(member)
    }
  }

  /** Prepares a reference and returns its target. The reference may have moved into `allOf` afterwards. */
  #settle(schema: JsonObject): Json {
    if (this.#embedded > 0) throw new Unsupported('a reference stands inside a schema with an $id of its own')
    const known = this.#targets.get(schema)
    if (known !== undefined) return known
    const target = this.#resolve(schema.$ref)
    const spelled = formatPointer(parsePointer(schema.$ref as string)!)
    if (spelled === undefined) throw new Unsupported('a reference is no valid text')
    let hops = 1
    let end = target
    // A reference with siblings becomes an object, whatever it leads to.
    let isObjectAtEnd = false
    for (; isObject(end) && end.$ref !== undefined; hops++) {
      if (hops > MAX_HOPS)
        throw new Unsupported(`a reference is recursive, or leads on over more than ${MAX_HOPS} others`)
      isObjectAtEnd ||= Object.keys(end).length > 1
      end = this.#resolve(end.$ref)
    }
    this.#work(REFERENCE_WORK + hops * HOP_WORK)
    this.#targets.set(schema, target)
    schema.$ref = spelled
    settleSiblings(schema, target, isObjectAtEnd || isObject(end))
    return target
  }

  #resolve(reference: Json | undefined): Json {
    if (typeof reference !== 'string' || !reference.startsWith('#/')) {
      throw new Unsupported("a reference does not begin with '#/'")
    }
    const tokens = reference.length > MAX_REFERENCE_LENGTH ? undefined : parsePointer(reference)
    const target = tokens === undefined ? undefined : resolvePointer(this.#root, tokens)
    if (typeof target !== 'boolean' && !isObject(target)) throw new Unsupported('a reference leads to no schema')
    return target
  }

  /** The library looks at every object once, however often it is used. */
  #enter(value: object, members: number, path: number): void {
    if (this.#visited.has(value)) return
    this.#visited.add(value)
    this.#work(members * (MEMBER_WORK + path / PATH_CHARACTERS_PER_WORK))
  }

  #work(microseconds: number): void {
    this.#budget.work -= microseconds
    this.#workLeft -= microseconds
    if (this.#workLeft < 0) throw new Unsupported('there are too many of them')
  }

  #count(value: Json | undefined): void {
    this.#budget.values--
    if (typeof value === 'string') this.#budget.characters -= value.length
    if (this.#budget.values < 0 || this.#budget.characters < 0)
      throw new Unsupported('the expanded schema is too large')
  }
}
