const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** What a JSON text would become. */
export interface Weight {
  /** Single values: at least as many as it has, at most twice. */
  readonly values: number
  /** Levels of arrays and objects. */
  readonly depth: number
}

/**
 * Weighs a JSON text before it is parsed: fifty megabytes of brackets would become gigabytes of arrays. Stops as soon as
 * one of the limits is passed. Of a text that is no JSON the figures mean nothing, and it is not refused here.
 */
export function weigh(bytes: Uint8Array, maxValues: number, maxDepth: number): Weight {
  let values = 1
  let open = 0
  let depth = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (byte === QUOTE) {
      i++
      while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      if (++open > depth) depth = open
      if (depth > maxDepth || ++values > maxValues) break
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
      open--
    } else if (byte === COMMA && ++values > maxValues) {
      break
    }
  }
  return { values, depth }
}
