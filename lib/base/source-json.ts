/**
 * JSON whose numbers and order of members survive JSON.parse and JSON.stringify. Doubles change 2512292042121000001 and
 * 105.0, and objects list the member "2" before "10". Values whose text a client or a model wrote pass unchanged.
 */
import { randomBytes } from 'node:crypto'
import { endOfString, isName, type Json, type JsonObject, parseJson, setMember } from './json.ts'

declare global {
  interface JSON {
    /** Not in the types of TypeScript 7.0. A value that JSON.stringify writes as this text. */
    rawJSON(text: string): object
  }
}

/** How the members of an object, or the items of an array, are written. */
interface Source {
  /** Names in their order; undefined: JavaScript has the same order. */
  order?: readonly string[]
  /** Texts of numbers by name or index, if String(number) is another text. */
  numbers?: ReadonlyMap<string | number, string>
}

/** Member with the source. With a WeakMap, parsing 50,000 objects takes half as long again. */
const SOURCE = Symbol('source')

function sourceOf(value: object): Source | undefined {
  return (value as { readonly [SOURCE]?: Source })[SOURCE]
}

/**
 * The parsed value; undefined if the text is not JSON. JSON.stringify writes it with the numbers and the order of
 * members of the text. Members that are changed later are written as they are. An object that has a member named
 * `toJSON`, and copies of an object, are written as JSON.stringify does.
 */
export function parseSource(text: string): Json | undefined {
  const marked = marksIn(text)
  const value = parseJson(marked)
  return marked === text || value === undefined ? value : withoutMarks(value, true)
}

/**
 * A copy for code that copies members from one object to another: each number that doubles would change is a string
 * until restoreNumbers() is called.
 */
export function markedCopy(value: JsonObject): JsonObject {
  const text = JSON.stringify(value)
  const marked = marksIn(text)
  return withoutMarks(parseJson(marked)!, false) as JsonObject
}

/** Replaces the strings of markedCopy() by their numbers, in place. Values may be shared. */
export function restoreNumbers<T extends Json>(value: T): T {
  return withoutMarks(value, true) as T
}

// ------------------------------------------------------------ marks in the text

const QUOTE = 0x22
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39

/** Begins a string that replaces a number, and a name that objects would reorder. Clients cannot guess it. */
const MARK = `\x7f${randomBytes(12).toString('base64url')}`

/** A JSON number (RFC 8259 section 6). */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** 1 for each character that may be part of a number. */
const IN_NUMBER = new Uint8Array(128)
for (const byte of Buffer.from('0123456789+-.eE')) IN_NUMBER[byte] = 1

/** A name that may be an array index, which objects list first. Digits may be escaped. */
const INDEX = /^(?:\d|\\u003\d){1,10}$/

/** The text with a mark in each name that objects reorder, and with strings in place of numbers that doubles change. */
function marksIn(text: string): string {
  const parts: string[] = []
  let from = 0
  const replace = (start: number, end: number, by: string) => {
    parts.push(text.slice(from, start), by)
    from = end
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const first = at + 1
      at = endOfString(text, first)
      if (at - first > MAX_INDEX_LENGTH || !isName(text, at)) continue
      const name = text.slice(first, at)
      if (INDEX.test(name)) replace(first, at, MARK + (parseJson(`"${name}"`) as string))
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const start = at
      while (IN_NUMBER[text.charCodeAt(at + 1)] === 1) at++
      const number = text.slice(start, at + 1)
      // A number in place of a name is left to the parser, which refuses it.
      if (String(Number(number)) !== number && NUMBER.test(number) && !isName(text, at))
        replace(start, at + 1, `"${MARK}${number}"`)
    }
  }
  return from === 0 ? text : parts.join('') + text.slice(from)
}

/** Ten digits, each as an escape. */
const MAX_INDEX_LENGTH = 60

// ------------------------------------------------------------ marks in the value

/** The value with names and, if `withNumbers`, numbers in place of marks. Not recursive: nesting is not limited yet. */
function withoutMarks(value: Json, withNumbers: boolean): Json {
  const root: Json[] = [value]
  const seen = new Set<object>()
  const waiting: (Json[] | JsonObject)[] = [root]
  for (let holder = waiting.pop(); holder !== undefined; holder = waiting.pop()) {
    if (seen.has(holder)) continue
    seen.add(holder)
    let numbers: Map<string | number, string> | undefined
    const members = holder as JsonObject
    for (const name of Array.isArray(holder) ? holder.keys() : Object.keys(holder)) {
      const member = members[name]
      if (typeof member === 'string') {
        if (!withNumbers || !member.startsWith(MARK)) continue
        const number = member.slice(MARK.length)
        setMember(members, name, Number(number))
        numbers ??= new Map()
        numbers.set(name, number)
      } else if (typeof member === 'object' && member !== null) {
        const named = withNames(member)
        if (named !== member) setMember(members, name, named)
        waiting.push(named)
      }
    }
    if (numbers !== undefined) keep(holder, { numbers })
  }
  return root[0]!
}

/** The same value, or a copy of an object with its names in place of marks. */
function withNames(value: Json[] | JsonObject): Json[] | JsonObject {
  if (Array.isArray(value)) return value
  const names = Object.keys(value)
  if (!names.some(name => name.startsWith(MARK))) return value
  const copy: JsonObject = {}
  const order: string[] = []
  for (const marked of names) {
    const name = marked.startsWith(MARK) ? marked.slice(MARK.length) : marked
    order.push(name)
    setMember(copy, name, value[marked])
  }
  keep(copy, { order })
  return copy
}

function keep(value: object, source: Source): void {
  const known = sourceOf(value)
  if (known !== undefined) Object.assign(known, source)
  else {
    Object.defineProperty(value, SOURCE, { value: source })
    if (!Object.hasOwn(value, 'toJSON')) Object.defineProperty(value, 'toJSON', TO_JSON)
  }
}

/** Not enumerable, so that code that lists members does not see it. */
const TO_JSON: PropertyDescriptor = {
  configurable: true,
  writable: true,
  value(this: Json[] | JsonObject): unknown {
    return Array.isArray(this) ? this.map((item, i) => written(this, i, item)) : writtenObject(this)
  },
}

function writtenObject(value: JsonObject): object {
  const copy = {}
  for (const name of Object.keys(value)) setMember(copy, name, written(value, name, value[name]) as Json)
  const order = sourceOf(value)?.order
  if (order === undefined) return copy
  const names = [...new Set([...order.filter(name => Object.hasOwn(copy, name)), ...Object.keys(copy)])]
  // JSON.stringify writes members in the order in which the object lists them.
  return new Proxy(copy, { ownKeys: () => names })
}

/** The number as it was written, unless it has been replaced by another one; other values unchanged. */
function written(holder: object, name: string | number, value: Json | undefined): unknown {
  const number = typeof value === 'number' ? sourceOf(holder)?.numbers?.get(name) : undefined
  return number !== undefined && Object.is(Number(number), value) ? JSON.rawJSON(number) : value
}
