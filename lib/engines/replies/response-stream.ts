import { ByteBuffer } from '../../base/byte-buffer.ts'
import { type Json, parseJson } from '../../base/json.ts'
import { type OnEvent, SseDecoder, SseTooLargeError } from '../../base/sse.ts'
import type { Chunk, Sink, Usage } from '../../canonical/reply.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'
import { PART } from '../../core/chain.ts'
import type { Exchange } from '../../core/exchange.ts'
import { type GatewayError, toGatewayError } from '../../errors/errors.ts'
import { WireDecoder } from '../decode/decoder.ts'
import { type BackendFailure, brokenReply, type FailureContext, ownFailure } from '../failure/failure.ts'
import type { Outlet } from './outlet.ts'
import type { ReplyStream } from './reply-stream.ts'

export interface ResponseStreamOptions {
  readonly exchange: Exchange
  readonly outlet: Outlet
  readonly context: FailureContext
  readonly request: CanonicalRequest
  /** `content-type` of the response. */
  readonly mediaType: string | undefined
}

/**
 * The body of a backend's 200 response on its way to the client: bytes, events, canonical chunks, transformers, outlet.
 * Failures are returned: the attempt decides whether to retry or to report them.
 */
export class ResponseStream implements ReplyStream {
  readonly #exchange: Exchange
  readonly #outlet: Outlet
  readonly #context: FailureContext
  readonly #incoming: Incoming
  readonly #decoder: WireDecoder
  /** The first transformer; null until the first chunk. */
  #first: Sink | null = null
  #failed: BackendFailure | undefined
  #begun = false
  #hasContent = false
  #complete = false
  #usage: Usage | undefined

  constructor({ exchange, outlet, context, request, mediaType }: ResponseStreamOptions) {
    this.#exchange = exchange
    this.#outlet = outlet
    this.#context = context
    this.#incoming = new Incoming(mediaType, (data, name) => this.#event(data, name))
    this.#decoder = new WireDecoder(context, request, this)
  }

  /** Content has come. */
  get begun(): boolean {
    return this.#begun || this.#incoming.hasText
  }

  /** The backend has generated a part of the answer: another attempt would run the prompt twice. */
  get hasContent(): boolean {
    return this.#hasContent
  }

  get usage(): Usage | undefined {
    return this.#usage
  }

  /** A clean end has come after a finish reason for each choice. finish() is due. */
  get complete(): boolean {
    return this.#complete
  }

  /** Takes a piece of the body. All events that it completes have reached the outlet when this returns. */
  feed(chunk: Buffer): BackendFailure | undefined {
    try {
      this.#incoming.feed(chunk)
    } catch (thrown) {
      this.#failed ??= this.#failureOf(thrown)
    }
    return this.#failed
  }

  /** The body has ended. */
  end(): BackendFailure | undefined {
    try {
      const json = this.#incoming.end()
      if (json !== undefined) this.#failed ??= this.#decoder.whole(json)
      if (!this.#isOver) this.#end()
    } catch (thrown) {
      this.#failed ??= this.#failureOf(thrown)
    }
    return this.#failed
  }

  /** Ends the reply of the client. Returns the failure of a transformer or encoder. */
  finish(): BackendFailure | undefined {
    try {
      this.#transformers().end()
      if (!this.#outlet.ended) throw new Error('a transformer has not passed on the end of the reply')
      return undefined
    } catch (thrown) {
      return this.#ownFailure(thrown)
    }
  }

  /** Fails the reply of the client, after its head has been sent. */
  fail(error: GatewayError): void {
    try {
      this.#first?.fail(error)
    } catch (thrown) {
      this.#exchange.host.fault(this.#exchange, thrown, PART.transformer)
    }
    // A transformer may not have passed it on.
    if (!this.#outlet.ended) this.#outlet.fail(error)
  }

  /** Sends the client a comment, and the head before it: a held status line must not outlast proxies (docs/adr/0006). */
  keepAlive(): BackendFailure | undefined {
    try {
      this.#transformers()
      this.#outlet.comment()
      return undefined
    } catch (thrown) {
      return this.#ownFailure(thrown)
    }
  }

  /** For the decoder. */
  chunk(chunk: Chunk): void {
    if (!this.#hasContent) this.#hasContent = isContent(chunk)
    if (chunk.usage !== undefined) this.#usage = chunk.usage
    this.#transformers().chunk(chunk)
  }

  #transformers(): Sink {
    this.#first ??= this.#outlet.open()
    return this.#first
  }

  #event(data: string, name: string | undefined): void {
    if (this.#isOver) return
    if (data === '[DONE]') return this.#end()
    this.#begun = true
    const json = parseJson(data)
    this.#failed = json === undefined ? this.#unusable('an event is not JSON') : this.#decoder.event(json, name)
  }

  /** A clean end. It counts only if a finish reason came before it (docs/DESIGN.md#streams). */
  #end(): void {
    if (this.#decoder.finished) this.#complete = true
    else this.#failed = this.#unusable('the stream ended without a finish reason')
  }

  /** Further events are ignored. A transformer may have failed the reply: then the outlet has ended. */
  get #isOver(): boolean {
    return this.#complete || this.#failed !== undefined || this.#outlet.ended
  }

  #failureOf(thrown: unknown): BackendFailure {
    return thrown instanceof UnreadableError ? this.#unusable(thrown.message) : this.#ownFailure(thrown)
  }

  #ownFailure(thrown: unknown): BackendFailure {
    return ownFailure(toGatewayError(thrown, PART.transformer))
  }

  #unusable(cause: string): BackendFailure {
    return brokenReply(this.#context.model, cause)
  }
}

function isContent({ text, reasoning, refusal, toolCalls, usage }: Chunk): boolean {
  return (
    text !== undefined ||
    reasoning !== undefined ||
    refusal !== undefined ||
    toolCalls !== undefined ||
    (usage !== undefined && usage.completionTokens > 0)
  )
}

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
