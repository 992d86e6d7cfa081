/** JSON values, and the text of them that others wrote. */
import { randomBytes } from 'node:crypto'

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject
/** A JSON object. Any member may be missing. */
export interface JsonObject {
  [name: string]: Json | undefined
}

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c

/** True for a JSON object: neither null, an array nor a scalar. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The parsed value, or undefined if the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return parseText(text)
  } catch {
    return undefined
  }
}

/** The value of a JSON text. Throws a SyntaxError where JSON.parse does, whose message may quote the text. */
export function parseText(text: string): Json {
  // Searching for one character costs a tenth of the expression.
  if (!text.includes('\\')) return JSON.parse(text) as Json
  const written: string[] = []
  const value = JSON.parse(withoutEscapedNames(text, written)) as Json
  return written.length === 0 ? value : withNames(value, JSON.parse(`["${written.join('","')}"]`) as string[])
}

/** Adds a member to an object: a plain assignment of `__proto__` would call its setter. */
export function setMember(object: object, name: string, value: Json | undefined): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { enumerable: true, configurable: true, writable: true, value })
  else (object as JsonObject)[name] = value
}

// ------------------------------------------------------------ names with escapes

/*
 * JSON.parse compares the name that it expects next with the characters of a name as they are written, escapes and all: once a
 * process has seen `{"\\": 0}`, it may read `{"\n": 0}` as that, also in another client's body
 * (https://github.com/nodejs/node/issues/63785, V8 12.8 to 14.6 at least). So it is not shown names with escapes.
 */

/** Up to the first escape of a string that may be a name: names follow a brace or a comma. Not greedy: no stack per character. */
const UP_TO_ESCAPE = /[{,][\t\n\r ]*"[^"\\]*?\\/g

/** What stands for a name with escapes begins with this, and ends with its number. A client that guessed it confuses its own names. */
const TOKEN = `\x7f${randomBytes(6).toString('base64url')}`

/** The text with tokens in place of names with escapes, which are appended to `written` as they are. */
function withoutEscapedNames(text: string, written: string[]): string {
  const parts: string[] = []
  const tokens = new Map<string, string>()
  let from = 0
  for (let at = 0; ; ) {
    UP_TO_ESCAPE.lastIndex = at
    if (!UP_TO_ESCAPE.test(text)) break
    const escaped = UP_TO_ESCAPE.lastIndex - 1
    at = endOfString(text, escaped)
    if (!isName(text, at)) continue
    const first = text.lastIndexOf('"', escaped) + 1
    const name = text.slice(first, at)
    let token = tokens.get(name)
    if (token === undefined) {
      token = TOKEN + written.length
      tokens.set(name, token)
      written.push(name)
    }
    parts.push(text.slice(from, first), token)
    from = at
  }
  return from === 0 ? text : parts.join('') + text.slice(from)
}

/** Index of the closing quote of the string in which `from` is, or the length of the text. */
function endOfString(text: string, from: number): number {
  let i = from
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) return i
    if (code === BACKSLASH) i++
  }
  return text.length
}

/** The string that ends here is followed by a colon. */
function isName(text: string, quote: number): boolean {
  let i = quote + 1
  while (i < text.length && BLANKS.has(text.charCodeAt(i))) i++
  return text.charCodeAt(i) === COLON
}

/** The characters of JSON between values. */
const BLANKS: ReadonlySet<number> = new Set([...'\t\n\r '].map(blank => blank.charCodeAt(0)))

/** The value with its own names. Without recursion: the nesting of what is parsed has no limit yet. */
function withNames(value: Json, names: readonly string[]): Json {
  const root = [value]
  const waiting: (Json[] | JsonObject)[] = [root]
  for (let holder = waiting.pop(); holder !== undefined; holder = waiting.pop()) {
    if (Array.isArray(holder)) {
      for (let i = 0; i < holder.length; i++) {
        const item = holder[i]!
        if (typeof item !== 'object' || item === null) continue
        const named = renamed(item, names)
        holder[i] = named
        waiting.push(named)
      }
    } else {
      for (const name in holder) {
        const member = holder[name]
        if (typeof member !== 'object' || member === null) continue
        const named = renamed(member, names)
        if (named !== member) setMember(holder, name, named)
        waiting.push(named)
      }
    }
  }
  return root[0]!
}

/** The same value, or an object with the same members in the same order under their own names. */
function renamed(value: Json[] | JsonObject, names: readonly string[]): Json[] | JsonObject {
  if (Array.isArray(value) || !hasToken(value)) return value
  const copy: JsonObject = {}
  for (const name in value) setMember(copy, nameOf(name, names), value[name])
  return copy
}

function hasToken(object: JsonObject): boolean {
  for (const name in object) if (name.startsWith(TOKEN)) return true
  return false
}

function nameOf(name: string, names: readonly string[]): string {
  return name.startsWith(TOKEN) ? (names[Number(name.slice(TOKEN.length))] ?? name) : name
}
