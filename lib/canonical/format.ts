/** The contract of a wire format. Each folder of lib/formats implements it under the same names. */
import type { Clock } from '../base/clock.ts'
import type { JsonObject } from '../base/json.ts'
import type { ErrorBody, GatewayError } from '../errors/errors.ts'
import type { Chunk, Sink } from './reply.ts'
import type { CanonicalRequest } from './request.ts'

/** A closed set: a further format is a change of the source (docs/adr/0028). */
export type FormatName = 'chat' | 'completions' | 'messages' | 'responses'

/** Settings of the operator that change how a format behaves (docs/DESIGN.md#messages, docs/DESIGN.md#responses). */
export interface FormatOptions {
  readonly chat: { readonly usage_chunks: 'every' | 'last' }
  readonly messages: {
    readonly adaptive_thinking: boolean
    readonly tool_images_without_vision: 'refuse' | 'describe'
    readonly input_tokens: 'total' | 'uncached'
  }
  readonly responses: {
    readonly unknown_tools: 'reject' | 'drop'
    readonly sequence_number: boolean
    readonly untyped_items: 'refuse' | 'message'
  }
  /** On every format that has tools (docs/DESIGN.md#tools-and-structured-output). */
  readonly tools: { readonly empty_parameters: 'refuse' | 'accept' }
  /** Formats that lower a token limit beyond the model's context length instead of refusing it. */
  readonly clamp_max_tokens: readonly FormatName[]
}

/** What an encoder or a collector knows of the reply that it writes. One object per exchange. */
export interface ReplyContext {
  /** 32 hex digits, unique. Formats add their prefix: `chatcmpl-`, `cmpl-`, `msg_`, `resp_`. */
  readonly id: string
  /** Unix time in seconds. */
  readonly created: number
  /** Id of the model that serves the request; an alias has been resolved. */
  readonly model: string
  /** As the rules left it. Its texts are released once a backend has begun to answer. */
  readonly request: CanonicalRequest
  readonly options: FormatOptions
  /** What the reply repeats of the request: ChatRequest.echo. Empty in formats that repeat nothing. */
  readonly echo: JsonObject
  readonly clock: Pick<Clock, 'now'>
  /** The envelope's inner object for an error of this exchange. */
  errorBody(error: GatewayError): ErrorBody
}

/** Gathers a reply for a client that does not stream. */
export interface Collector {
  chunk(chunk: Chunk): void
  /** The JSON body of the response. To be called once, after a reply that ended without an error. */
  result(): JsonObject
}

/**
 * Writes one server-sent event. `event` is undefined in formats without event names. `data` is JSON text or `[DONE]`, without a
 * line break.
 */
export type WriteEvent = (event: string | undefined, data: string) => void

/** One wire format: from a request body to the canonical request, and from canonical chunks to a response. */
export interface Format {
  readonly name: FormatName

  /**
   * The canonical request of a body. The body must have passed the schema of its route; it is not changed, but parts of
   * it become parts of the request. Throws a GatewayError with a code of docs/errors, for example
   * `schema_validation_failed` where two members contradict one another.
   */
  toCanonical(body: JsonObject, options: FormatOptions): CanonicalRequest

  /** Gathers chunks into one JSON body. */
  collector(context: ReplyContext): Collector

  /**
   * Writes chunks as events. `end()` writes the events that close a complete reply; `fail()` writes the in-band error,
   * and nothing that a client could take for the end of a complete reply.
   */
  encoder(context: ReplyContext, write: WriteEvent): Sink

  /** The JSON body of an error response. */
  toErrorBody(body: ErrorBody): JsonObject

  /** The client's name for a canonical path: in Messages `tools.0.function.name` is `tools.0.name`. */
  toClientParam(canonical: string): string
}
