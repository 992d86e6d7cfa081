/** Names of members, in the bytes of a JSON text. `from` and `to`: between the quotes. */

const BACKSLASH = 0x5c
const ZERO = 0x30
const NINE = 0x39

/** Whether a name begins with a digit or an escaped one: objects list array indexes before other names. */
export function mayBeIndex(bytes: Buffer, from: number, to: number): boolean {
  return (
    isDigit(bytes[from]!) ||
    (bytes[from] === BACKSLASH && bytes.toString('latin1', from, Math.min(to, from + 5)) === '\\u003')
  )
}

/** Bytes of the longest name that is recognized. */
const MAX_KNOWN_NAME = 32

/** Hashes of the latest names, of all bodies. A name replaces another one in its slot. */
const knownNames = new Int32Array(1024)

/** False only for a name that was scanned lately: bodies repeat few names. */
export function isNewName(bytes: Buffer, from: number, to: number): boolean {
  if (to - from > MAX_KNOWN_NAME) return true
  // FNV-1a. Names with equal hashes are too few to matter within this length.
  let hash = 0x811c9dc5 | 0
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  const slot = (hash >>> 16) % knownNames.length
  if (knownNames[slot] === hash) return false
  knownNames[slot] = hash
  return true
}

const INPUT = Buffer.from('input')

export function isNamedInput(bytes: Buffer, from: number, to: number): boolean {
  return to - from === INPUT.length && bytes.compare(INPUT, 0, INPUT.length, from, to) === 0
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}
