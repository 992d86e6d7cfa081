import { ByteBuffer } from '../base/byte-buffer.ts'
import { type Json, parseJson } from '../base/json.ts'
import { type OnEvent, SseDecoder, SseTooLargeError } from '../sse/decoder.ts'

/** Largest JSON reply that is gathered. A megabyte of tokens is far beyond any model's context. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024

/** The first field of an event, or a comment, behind a byte order mark or blank lines. JSON never begins so. */
const FIRST_LINE = /^(?:\u00ef\u00bb\u00bf)?[\r\n]*(?:data|event|id|retry)?:/
const LONGEST_START = 64

/** A reply that cannot be read. The message says what is wrong with it, never what it says. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
}

/** The bytes of a backend's reply: events one by one, or one JSON text. */
export class Incoming {
  readonly #onEvent: OnEvent
  #events: SseDecoder | null = null
  /** A reply that is no stream. */
  readonly #whole = new ByteBuffer()

  /** Media types have no case. */
  constructor(mediaType: string | undefined, onEvent: OnEvent) {
    this.#onEvent = onEvent
    if (mediaType?.toLowerCase().includes('text/event-stream')) this.#events = new SseDecoder(onEvent)
  }

  /** Something has come of a reply that is no stream. */
  get hasText(): boolean {
    return this.#whole.length > 0
  }

  feed(chunk: Buffer): void {
    // Some servers stream under no type, or under that of any text.
    if (this.#events === null && !this.hasText && beginsAsEvents(chunk)) this.#events = new SseDecoder(this.#onEvent)
    if (this.#events !== null) return feedEvents(this.#events, chunk)
    this.#whole.append(chunk)
    if (this.#whole.length > MAX_REPLY_BYTES) throw new UnreadableError('the reply is too large')
  }

  /** Hands out the last event of a stream. Returns a reply that is none; undefined: it was a stream. */
  end(): Json | undefined {
    if (this.#events !== null) {
      this.#events.end()
      if (this.#events.pending) throw new UnreadableError('the stream ended inside an event')
      return undefined
    }
    const json = parseJson(this.#whole.bytes.toString())
    if (json === undefined) throw new UnreadableError('the reply is not JSON')
    return json
  }
}

function beginsAsEvents(first: Buffer): boolean {
  return FIRST_LINE.test(first.toString('latin1', 0, LONGEST_START))
}

function feedEvents(events: SseDecoder, chunk: Buffer): void {
  try {
    events.feed(chunk)
  } catch (thrown) {
    throw thrown instanceof SseTooLargeError ? new UnreadableError('an event is too large') : thrown
  }
}
