import { ByteBuffer } from '../../base/byte-buffer.ts'
import { isObject, type Json, parseJson } from '../../base/json.ts'
import { parseSource } from '../../base/source-json.ts'
import { type OnEvent, SseDecoder, SseTooLargeError } from '../../base/sse.ts'
import type { Chunk, Sink, Usage } from '../../canonical/reply.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'
import { PART } from '../../core/chain.ts'
import type { Exchange } from '../../core/exchange.ts'
import { type GatewayError, toGatewayError } from '../../errors/errors.ts'
import { callsIn } from '../decode/answer.ts'
import { WireDecoder } from '../decode/decoder.ts'
import { type BackendFailure, brokenReply, type FailureContext, ownFailure } from '../failure/failure.ts'
import type { Outlet } from './outlet.ts'
import type { ReplyStream } from './reply-stream.ts'

interface ResponseStreamOptions {
  readonly exchange: Exchange
  readonly outlet: Outlet
  readonly context: FailureContext
  readonly request: CanonicalRequest
  /** `content-type` of the response. */
  readonly mediaType: string | undefined
}

/** Passes the body of a backend's 200 response on to the client, as canonical chunks. Methods return failures. */
export class ResponseStream implements ReplyStream {
  readonly #exchange: Exchange
  readonly #outlet: Outlet
  readonly #context: FailureContext
  readonly #incoming: Incoming
  readonly #decoder: WireDecoder
  /** The first transformer; null until the first chunk. */
  #first: Sink | null = null
  #failed: BackendFailure | undefined
  #hasEvent = false
  #hasContent = false
  #isComplete = false
  #usage: Usage | undefined

  constructor({ exchange, outlet, context, request, mediaType }: ResponseStreamOptions) {
    this.#exchange = exchange
    this.#outlet = outlet
    this.#context = context
    this.#incoming = new Incoming(mediaType, (data, name) => this.#event(data, name))
    this.#decoder = new WireDecoder(context, request, this)
  }

  get hasBegun(): boolean {
    return this.#hasEvent || this.#incoming.hasText
  }

  get hasContent(): boolean {
    return this.#hasContent
  }

  get usage(): Usage | undefined {
    return this.#usage
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  feed(chunk: Buffer): BackendFailure | undefined {
    try {
      this.#incoming.feed(chunk)
    } catch (thrown) {
      this.#failed ??= this.#failureOf(thrown)
    }
    return this.#failed
  }

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

  finish(): BackendFailure | undefined {
    try {
      this.#transformers().end()
      if (!this.#outlet.ended) throw new Error('a transformer has not passed on the end of the reply')
      return undefined
    } catch (thrown) {
      return this.#ownFailure(thrown)
    }
  }

  fail(error: GatewayError): void {
    try {
      this.#first?.fail(error)
    } catch (thrown) {
      this.#exchange.host.fault(this.#exchange, thrown, PART.transformer)
    }
    // A transformer may not have passed the failure on.
    if (!this.#outlet.ended) this.#outlet.fail(error)
  }

  /** Also sends the head, if it is still held back: proxies close connections without one (docs/adr/0006). */
  keepAlive(): BackendFailure | undefined {
    try {
      this.#transformers()
      this.#outlet.comment()
      return undefined
    } catch (thrown) {
      return this.#ownFailure(thrown)
    }
  }

  /** Called by the decoder. */
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
    this.#hasEvent = true
    const json = parseReply(data)
    this.#failed = json === undefined ? this.#unusable('an event is not JSON') : this.#decoder.event(json, name)
  }

  /** The reply has ended. It is complete only if each choice has a finish reason (docs/DESIGN.md#streams). */
  #end(): void {
    if (this.#decoder.isFinished) this.#isComplete = true
    else this.#failed = this.#unusable('the stream ended without a finish reason')
  }

  /** Further events are ignored. The outlet has also ended if a transformer has failed or stopped the reply. */
  get #isOver(): boolean {
    return this.#isComplete || this.#failed !== undefined || this.#outlet.ended
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

/** Limit of a JSON reply. A megabyte of tokens is far beyond the context window of any model. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024

/** An SSE field or comment, after a byte order mark or blank lines. No JSON text matches. */
const FIRST_LINE = /^(?:\u00ef\u00bb\u00bf)?[\r\n]*(?:data|event|id|retry)?:/
/** Bytes of a reply that FIRST_LINE is matched against. */
const START_BYTES = 64

/** A reply that is invalid. The message describes the problem and never quotes the reply. */
class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
}

/** Splits the bytes of a backend's reply into events, or buffers them as one JSON text. */
export class Incoming {
  readonly #onEvent: OnEvent
  #events: SseDecoder | null = null
  /** The text of a reply that is not a stream. */
  readonly #whole = new ByteBuffer()

  /** `mediaType`: `content-type` of the response, in upper or lower case. */
  constructor(mediaType: string | undefined, onEvent: OnEvent) {
    this.#onEvent = onEvent
    if (mediaType?.toLowerCase().includes('text/event-stream')) this.#events = new SseDecoder(onEvent)
  }

  /** A part of a reply that is not a stream has arrived. */
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

  /** Emits the last event of a stream, or returns the JSON of another reply. Throws UnreadableError. */
  end(): Json | undefined {
    if (this.#events !== null) {
      this.#events.end()
      if (this.#events.pending) throw new UnreadableError('the stream ended inside an event')
      return undefined
    }
    const json = parseReply(this.#whole.bytes.toString())
    if (json === undefined) throw new UnreadableError('the reply is not JSON')
    return json
  }
}

/** A reply or an event of it; undefined: it is not JSON. */
function parseReply(text: string): Json | undefined {
  const json = parseJson(text)
  const isPassedOn = isObject(json) && Array.isArray(json.choices) && json.choices.some(hasPassedValues)
  return isPassedOn ? parseSource(text) : json
}

/** Whether JSON of a choice is passed on: arguments that are no text, or log probabilities by token. */
function hasPassedValues(choice: Json): boolean {
  if (!isObject(choice)) return false
  const { logprobs, message, delta } = choice
  if (isObject(logprobs) && logprobs.top_logprobs != null) return true
  return [message, delta, choice].some(
    answer =>
      isObject(answer) &&
      callsIn(answer).some(call => isObject(call) && isObject(call.function) && isObject(call.function.arguments)),
  )
}

function beginsAsEvents(first: Buffer): boolean {
  return FIRST_LINE.test(first.toString('latin1', 0, START_BYTES))
}

function feedEvents(events: SseDecoder, chunk: Buffer): void {
  try {
    events.feed(chunk)
  } catch (thrown) {
    throw thrown instanceof SseTooLargeError ? new UnreadableError('an event is too large') : thrown
  }
}
