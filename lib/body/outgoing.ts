import type { ArrivingBody } from './form/arriving.ts'
import type { LongTexts } from './long-texts.ts'

/** The body of a request to a backend. It can be sent again, to the same backend or another one. */
export interface OutgoingBody {
  /** Content length in bytes; undefined: not known before its end. */
  readonly length: number | undefined
  /** Absent: JSON. */
  readonly mediaType?: string
  /** Set where the body has not arrived completely when it is sent. */
  readonly arriving?: ArrivingBody | undefined
  /** The body for one request: a small one as a whole, a larger one in pieces. */
  open(): Buffer | Iterable<Buffer> | AsyncIterable<Buffer>
}

/**
 * Largest body that is sent as one buffer, together with the request head. The HTTP client keeps that buffer until the
 * response is complete, and nothing of a body that it takes in pieces.
 */
const MAX_WHOLE_BYTES = 4096

/** Parts are joined up to this size, because a write costs more than copying them. */
const JOINED_BYTES = 64 * 1024

/** A body from its JSON text, in which `texts` fill their placeholders. */
export function outgoingJson(json: string, texts: LongTexts | null = null): OutgoingBody {
  return new OutgoingJson(texts === null ? [Buffer.from(json)] : joined(texts.partsOf(json).map(bytesOf)))
}

function bytesOf(part: string | Buffer): Buffer {
  return typeof part === 'string' ? Buffer.from(part) : part
}

/** The same bytes in fewer parts. */
function joined(parts: readonly Buffer[]): readonly Buffer[] {
  const joined: Buffer[] = []
  let small: Buffer[] = []
  let bytes = 0
  const join = () => {
    if (small.length > 0) joined.push(Buffer.concat(small))
    small = []
    bytes = 0
  }
  for (const part of parts) {
    if (bytes + part.length > JOINED_BYTES) join()
    if (part.length > JOINED_BYTES) joined.push(part)
    else {
      small.push(part)
      bytes += part.length
    }
  }
  join()
  return joined
}

class OutgoingJson implements OutgoingBody {
  readonly length: number
  readonly #parts: readonly Buffer[]

  constructor(parts: readonly Buffer[]) {
    this.#parts = parts
    this.length = parts.reduce((sum, { length }) => sum + length, 0)
  }

  open(): Buffer | Iterable<Buffer> {
    return this.length <= MAX_WHOLE_BYTES ? this.#parts[0]! : taken([...this.#parts])
  }
}

/** Yields the parts, and keeps none that it has yielded. */
function* taken(parts: Buffer[]): Generator<Buffer> {
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) yield part
}
