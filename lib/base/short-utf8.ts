/** UTF-8 of texts, most of which are short. A short one is encoded once and then copied, because measuring it before costs more than the copy. */

/** In UTF-16 units. */
const SHORT = 4096

/** UTF-8 has at most three bytes for a UTF-16 unit. */
const scratch = Buffer.allocUnsafeSlow(3 * SHORT)

/** The UTF-8 of a text: of a short one not in Node's shared 64 KB of memory, all of which one long stream would keep alive. */
export function utf8Buffer(text: string): Buffer {
  if (text.length > SHORT) return Buffer.from(text)
  const length = scratch.write(text)
  const bytes = Buffer.allocUnsafeSlow(length)
  scratch.copy(bytes, 0, 0, length)
  return bytes
}

/**
 * The UTF-8 of a text: of a short one as a string with one character for each byte, which Node joins with the head of a message and
 * copies to the socket as it is. It would measure a text for its length, and encode it together with the head.
 */
export function utf8Latin1(text: string): string | Buffer {
  if (text.length > SHORT) return Buffer.from(text)
  const length = scratch.write(text)
  return length === text.length ? text : scratch.toString('latin1', 0, length)
}
