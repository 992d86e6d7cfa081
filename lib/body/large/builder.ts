import { ByteBuffer } from '../../base/byte-buffer.ts'
import { type Json, type JsonObject, setMember } from '../../base/json.ts'
import { fail } from '../../errors/errors.ts'
import { NOT_JSON } from '../json-limits.ts'
import { parse } from '../parse.ts'

/** The containers that are open at the current position. The body itself has depth 1. */
export interface OpenContainers {
  readonly depth: number
  isObject(depth: number): boolean
  /** JSON text of the name under which the container at this depth stands in its object; null: in an array, or not known. */
  nameOf(depth: number): string | null
}

type Container = Json[] | JsonObject

/**
 * Builds a JSON value while its text arrives, slice by slice: parsing all of it at the end would block every other stream. A
 * slice ends before a comma. The containers that are open there are closed for the parser, which so checks the grammar of
 * everything, and stay open here: the next slice adds to their children (docs/adr/0019).
 */
export class Builder {
  readonly #open: OpenContainers
  /** Placeholder, in each further slice of a container, for its children so far. */
  readonly #before: string
  readonly #text = new ByteBuffer()
  readonly #built: Container[] = []
  #value: Json | undefined

  /** `token`: a text that no client can write. */
  constructor(open: OpenContainers, token: string) {
    this.#open = open
    this.#before = token
  }

  /** Number of open containers that have been created, outermost first; the others are still text. */
  get built(): number {
    return this.#built.length
  }

  /** Bytes that have not been parsed. */
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

  /** To be called before a comma of the innermost container: parses everything so far. */
  beforeComma(): void {
    const { depth } = this.#open
    const outer = Math.max(this.#built.length, 1)
    if (this.#value !== undefined || depth === 0) return
    for (let inner = outer + 1; inner <= depth; inner++) if (!this.#canFind(inner)) return
    for (let inner = depth; inner >= outer; inner--) this.#text.write(this.#open.isObject(inner) ? '}' : ']')
    this.#take()
    for (let inner = outer + 1; inner <= depth; inner++) this.#built.push(this.#lastChild(inner))
    // The next slice would hide that there is nothing before this comma.
    if (isEmpty(this.#built.at(-1)!)) fail('invalid_json_request', { problem: NOT_JSON })
    this.#begin()
  }

  /** To be called behind the bracket that closes the innermost container. */
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
    // Only whitespace may follow the body.
    if (this.#value === undefined || !BLANKS.test(text.toString('latin1')))
      fail('invalid_json_request', { problem: NOT_JSON })
    return this.#value
  }

  /** Parses everything so far into the innermost container that has been created. */
  #take(): void {
    const slice = parse(this.#text.bytes) as Container
    this.#text.clear()
    const container = this.#built.at(-1)
    if (container === undefined) this.#built.push(slice)
    else if (Array.isArray(container)) addItems(container, slice as Json[])
    else addMembers(container, slice as JsonObject, this.#before)
  }

  /** Begins a slice of a container that has children. */
  #begin(): void {
    this.#text.write(this.#open.isObject(this.#built.length) ? `{"":"${this.#before}"` : `["${this.#before}"`)
  }

  #canFind(depth: number): boolean {
    return !this.#open.isObject(depth - 1) || this.#open.nameOf(depth) !== null
  }

  /** The container at this depth, whose parent has been created. */
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

/** Without the first item, which is the placeholder. */
function addItems(array: Json[], items: readonly Json[]): void {
  for (let i = 1; i < items.length; i++) array.push(items[i]!)
}

function addMembers(object: JsonObject, members: JsonObject, before: string): void {
  for (const name of Object.keys(members)) {
    const value = members[name]
    if (name === '' && value === before) continue
    setMember(object, name, value)
  }
}
