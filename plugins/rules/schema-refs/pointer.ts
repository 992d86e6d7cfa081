import type { Json, JsonObject } from '../../../lib/plugin.ts'

/** The parts of a reference `#/a/b` after percent and tilde escapes; undefined when they are malformed. */
export function parsePointer(reference: string): string[] | undefined {
  try {
    return decodeURIComponent(reference.slice(2))
      .split('/')
      .map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'))
  } catch {
    return undefined
  }
}

/** The same reference in one spelling that no URL parser reads differently; undefined when there is none. */
export function formatPointer(tokens: readonly string[]): string | undefined {
  try {
    return `#/${tokens.map(token => encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
  } catch {
    return undefined
  }
}

/** The value that a pointer refers to (RFC 6901). References on the way are not followed. */
export function resolvePointer(root: JsonObject, tokens: readonly string[]): Json | undefined {
  let value: Json | undefined = root
  for (const token of tokens) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined
    value = (value as JsonObject)[token]
  }
  return value
}
