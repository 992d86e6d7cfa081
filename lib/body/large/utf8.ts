import { isUtf8 } from 'node:buffer'

const NOTHING = Buffer.alloc(0)

/** Whether bytes that come in pieces are UTF-8. */
export class Utf8Check {
  /** The bytes of a character whose end is still to come. */
  #rest: Buffer = NOTHING

  /** False as soon as they are not. */
  feed(piece: Buffer): boolean {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    const whole = bytes.length - unfinished(bytes)
    this.#rest = bytes.subarray(whole)
    return isUtf8(bytes.subarray(0, whole))
  }

  /** True unless a character was cut off. */
  get ended(): boolean {
    return this.#rest.length === 0
  }
}

/** How many bytes at the end begin a character of more bytes than there are. */
function unfinished(bytes: Buffer): number {
  for (let count = 1; count <= 3 && count <= bytes.length; count++) {
    const byte = bytes[bytes.length - count]!
    if ((byte & 0xc0) !== 0x80) return lengthOf(byte) > count ? count : 0
  }
  return 0
}

/** Of the character that begins with this byte (RFC 3629 section 3). */
function lengthOf(byte: number): number {
  if (byte < 0xc0) return 1
  if (byte < 0xe0) return 2
  return byte < 0xf0 ? 3 : 4
}
