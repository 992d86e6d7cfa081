import type { Json, JsonObject } from '../base/json.ts'
import { fail } from '../errors/errors.ts'
import { Growing } from './growing.ts'
import { NOT_JSON, parse } from './parse.ts'

/** Where the text has come to: the containers that are open, the body itself being 1. */
export interface OpenContainers {
  readonly depth: number
  isObject(depth: number): boolean
  /** JSON text of the name under which the container at this depth stands in its object; null: in an array, or not known. */
  nameOf(depth: number): string | null
}

type Container = Json[] | JsonObject

/**
 * A JSON value that is built while its text arrives, a slice at a time: parsing all of it at the end would hold up every
 * other stream. A slice ends before a comma. The containers that are open there are closed for the parser, which so judges
 * the grammar of everything, and stay open here: what comes next becomes their children.
 */
export class Builder {
  readonly #open: OpenContainers
  /** Stands in each further slice of a container for the children before it. */
  readonly #before: string
  readonly #text = new Growing()
  readonly #built: Container[] = []
  #value: Json | undefined

  /** `unique`: a text that no client can write. */
  constructor(open: OpenContainers, unique: string) {
    this.#open = open
    this.#before = unique
  }

  /** How many of the open containers exist, from the body inwards; those further inside are still text. */
  get built(): number {
    return this.#built.length
  }

  /** Bytes that wait to be parsed. */
  get waiting(): number {
    return this.#text.length
  }

  copy(source: Buffer, from: number, to: number): void {
    this.#text.copy(source, from, to)
  }

  /** ASCII. */
  write(text: string): void {
    this.#text.write(text)
  }

  /** Before a comma of the innermost container: parses what waits. */
  beforeComma(): void {
    const { depth } = this.#open
    const outer = Math.max(this.#built.length, 1)
    if (this.#value !== undefined || depth === 0) return
    for (let inner = outer + 1; inner <= depth; inner++) if (!this.#canFind(inner)) return
    for (let inner = depth; inner >= outer; inner--) this.#text.write(this.#open.isObject(inner) ? '}' : ']')
    this.#take()
    for (let inner = outer + 1; inner <= depth; inner++) this.#built.push(this.#lastChild(inner))
    // What comes next would hide that nothing stands before this comma.
    if (isEmpty(this.#built.at(-1)!)) fail('invalid_json_request', { problem: NOT_JSON })
    this.#begin()
  }

  /** Behind the bracket that closes the innermost container, where that exists. */
  afterClose(): void {
    const closed = this.#built.at(-1)
    if (closed === undefined) return
    this.#take()
    this.#built.pop()
    if (this.#built.length > 0) this.#begin()
    else this.#value = closed
  }

  end(): Json {
    const text = this.#text.bytes
    if (this.#value === undefined && this.#built.length === 0) return parse(text)
    // Behind the body there may be nothing but blanks.
    if (this.#value === undefined || !BLANKS.test(text.toString('latin1')))
      fail('invalid_json_request', { problem: NOT_JSON })
    return this.#value
  }

  /** Parses what waits into the innermost container that exists. */
  #take(): void {
    const slice = parse(this.#text.bytes) as Container
    this.#text.clear()
    const container = this.#built.at(-1)
    if (container === undefined) this.#built.push(slice)
    else if (Array.isArray(container)) addItems(container, slice as Json[])
    else addMembers(container, slice as JsonObject, this.#before)
  }

  /** The slice that comes next belongs to a container with children. */
  #begin(): void {
    this.#text.write(this.#open.isObject(this.#built.length) ? `{"":"${this.#before}"` : `["${this.#before}"`)
  }

  #canFind(depth: number): boolean {
    return !this.#open.isObject(depth - 1) || this.#open.nameOf(depth) !== null
  }

  /** The container at this depth, whose parent exists. */
  #lastChild(depth: number): Container {
    const parent = this.#built.at(-1)!
    const child = Array.isArray(parent) ? parent.at(-1) : parent[JSON.parse(this.#open.nameOf(depth)!) as string]
    return child as Container
  }
}

const BLANKS = /^[\t\n\r ]*$/

function isEmpty(container: Container): boolean {
  if (Array.isArray(container)) return container.length === 0
  for (const _ in container) return false
  return true
}

/** The first stands for those before. */
function addItems(array: Json[], items: readonly Json[]): void {
  for (let i = 1; i < items.length; i++) array.push(items[i]!)
}

function addMembers(object: JsonObject, members: JsonObject, before: string): void {
  for (const name of Object.keys(members)) {
    const value = members[name]
    if (name === '' && value === before) continue
    // A plain assignment would call the setter of this one.
    if (name === '__proto__') Object.defineProperty(object, name, { ...DATA, value })
    else object[name] = value
  }
}

const DATA = { enumerable: true, writable: true, configurable: true }
