/** Lines of JSON in a stream, with their place in it. */

interface FileLine {
  /** From 1, empty lines included. */
  readonly number: number
  /** Offset of the first byte, and bytes without the line break. */
  readonly position: number
  readonly length: number
  /** null: the line is longer than the limit. */
  readonly bytes: Buffer | null
}

export const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const BYTE_ORDER_MARK = Buffer.from('\ufeff')

/** All lines that are not empty. Lines may end in CRLF, and the stream may begin with a byte order mark. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<FileLine> {
  let number = 1
  /** Offset of the line's first byte. */
  let start = 0
  let held: Buffer[] = []
  /** Bytes of the line before the current piece. */
  let length = 0
  const end = (last: Buffer): FileLine | undefined => {
    length += last.length
    const isLong = length > limit + BYTE_ORDER_MARK.length
    const line = isLong ? null : trimmed(Buffer.concat([...held, last]), start === 0)
    const ended = { number, position: start + (line?.skipped ?? 0), length: line?.bytes.length ?? length }
    start += length + 1
    number++
    length = 0
    held = []
    return line?.bytes.length === 0 ? undefined : { ...ended, bytes: line?.bytes ?? null }
  }
  for await (const one of pieces) {
    const piece = Buffer.from(one.buffer, one.byteOffset, one.length)
    let from = 0
    for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, from)) {
      const line = end(piece.subarray(from, at))
      from = at + 1
      if (line !== undefined) yield line
    }
    const rest = piece.subarray(from)
    if (rest.length === 0) continue
    length += rest.length
    // Copied, because the reader may use the memory again.
    if (length <= limit + BYTE_ORDER_MARK.length) held.push(Buffer.from(rest))
    else held = []
  }
  const last = length > 0 ? end(Buffer.alloc(0)) : undefined
  if (last !== undefined) yield last
}

function trimmed(bytes: Buffer, isFirst: boolean): { readonly bytes: Buffer; readonly skipped: number } {
  const skipped = isFirst && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0
  let end = bytes.length
  if (end > skipped && bytes[end - 1] === CARRIAGE_RETURN) end--
  const line = bytes.subarray(skipped, end)
  const isEmpty = line.length === 0 || (line[0]! <= SPACE && line.toString('latin1').trim() === '')
  return { bytes: isEmpty ? Buffer.alloc(0) : line, skipped }
}
