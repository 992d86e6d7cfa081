/** Ignored members as a response header and as a log line name them. */
import { type IgnoredMembers, lengthOf } from '../../../lib/plugin.ts'

/** Characters of the whole header value. */
const MAX_VALUE = 200
/** Characters of one name, escapes counted. */
const MAX_NAME = 64
/** Names that a log line shows as they are. All others may be content. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_-]{0,31}$/

/**
 * Paths in the client's format with commas between: `messages.0.foo, stream_options.bar`. What stands in a name besides
 * letters, digits, `_` and `-` is percent-encoded as UTF-8. Long names are cut, which three dots show; paths that do not fit
 * are left out.
 */
export function headerValue({ named }: IgnoredMembers): string {
  let value = ''
  for (const { path, name } of named) {
    const next = [...path, safe(name)].join('.')
    const longer = value === '' ? next : `${value}, ${next}`
    if (longer.length <= MAX_VALUE) value = longer
  }
  return value
}

function safe(name: string): string {
  const encoded = encodeURIComponent(name.slice(0, MAX_NAME).toWellFormed()).replace(/[.!~*'()]/g, escaped)
  if (encoded.length <= MAX_NAME && name.length <= MAX_NAME) return encoded
  // Not inside of an escape.
  return `${encoded.slice(0, MAX_NAME).replace(/%[^%]?$/, '')}...`
}

function escaped(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** Paths for a log line. `hidden`: with the length of the client's names in their place. */
export function loggedPaths({ named }: IgnoredMembers, hidden: boolean): readonly string[] {
  return named.map(member => loggedPath(member, hidden))
}

function loggedPath({ path, name }: IgnoredMembers['named'][number], hidden: boolean): string {
  return [...path, hidden || !PLAIN.test(name) ? lengthOf(name) : name].join('.')
}
