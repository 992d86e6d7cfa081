import { ByteBuffer } from '../base/byte-buffer.ts'
import { type Json, parseJson } from '../base/json.ts'
import { type OnEvent, SseDecoder, SseTooLargeError } from '../sse/decoder.ts'

/** Largest JSON reply that is gathered. A megabyte of tokens is far beyond any model's context. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024

/** A field of an event or a comment, after a byte order mark or blank lines. No JSON text matches. */
const FIRST_LINE = /^(?:\u00ef\u00bb\u00bf)?[\r\n]*(?:data|event|id|retry)?:/
const LONGEST_START = 64

/** A reply that is not valid. The message names the problem and never quotes the reply. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
}

/** Splits the bytes of a backend's reply into events, or gathers them as one JSON text. */
export class Incoming {
  readonly #onEvent: OnEvent
  #events: SseDecoder | null = null
  /** The text of a reply that is not a stream. */
  readonly #whole = new ByteBuffer()

  /** `mediaType`: `content-type` of the response, in any case. */
  constructor(mediaType: string | undefined, onEvent: OnEvent) {
    this.#onEvent = onEvent
    if (mediaType?.toLowerCase().includes('text/event-stream')) this.#events = new SseDecoder(onEvent)
  }

  /** Part of a reply that is not a stream has arrived. */
  get hasText(): boolean {
    return this.#whole.length > 0
  }

  feed(chunk: Buffer): void {
    // Some servers stream without a media type, or as text/plain.
    if (this.#events === null && !this.hasText && beginsAsEvents(chunk)) this.#events = new SseDecoder(this.#onEvent)
    if (this.#events !== null) return feedEvents(this.#events, chunk)
    this.#whole.append(chunk)
    if (this.#whole.length > MAX_REPLY_BYTES) throw new UnreadableError('the reply is too large')
  }

  /** Emits the last event of a stream, or returns the JSON of a reply that is not a stream. Throws UnreadableError. */
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
