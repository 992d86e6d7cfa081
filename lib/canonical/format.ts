/** The contract of a wire format. Each folder of lib/formats implements it under the same names. */
import type { Clock } from '../base/clock.ts'
import type { JsonObject } from '../base/json.ts'
import type { ErrorBody, GatewayError } from '../errors/errors.ts'
import type { Chunk, Sink } from './reply.ts'
import type { CanonicalRequest } from './request.ts'

/** A closed set: a further format is a change of the source (docs/adr/0028). */
export type FormatName = 'chat' | 'completions' | 'messages' | 'responses'

/** Settings of the operator that change a format (docs/DESIGN.md#messages, docs/DESIGN.md#responses). */
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
  /** For every format that has tools (docs/DESIGN.md#tools-and-structured-output). */
  readonly tools: { readonly empty_parameters: 'refuse' | 'accept' }
  /** For chat completions alone (docs/DESIGN.md#reasoning). */
  readonly reasoning: { readonly other_efforts: 'refuse' | 'nearest' }
  /** For every format (docs/api/errors.md#repeating-a-request). */
  readonly errors: { readonly used_up: 429 | 402 }
  /** Formats that lower a token limit above the model's context length instead of refusing it. */
  readonly clamp_max_tokens: readonly FormatName[]
}

/** Facts about a reply for its encoder or collector. One object per exchange. */
export interface ReplyContext {
  /** 32 hex digits, unique. Formats add their prefix: `chatcmpl-`, `cmpl-`, `msg_`, `resp_`. */
  readonly id: string
  /** Unix time in seconds. */
  readonly created: number
  /** Id of the model that serves the request, never an alias. */
  readonly model: string
  /** The request after all rules. Its texts are released when a backend starts to answer. */
  readonly request: CanonicalRequest
  readonly options: FormatOptions
  /** Members of the request that the reply repeats: ChatRequest.echo. Empty in formats that repeat none. */
  readonly echo: JsonObject
  readonly clock: Pick<Clock, 'now'>
  /** The envelope's inner object for an error of this exchange. */
  errorBody(error: GatewayError): ErrorBody
}

/** Collects a reply for a client that does not stream. */
export interface Collector {
  chunk(chunk: Chunk): void
  /** The JSON body of the response. Must be called once, after a reply that ended without an error. */
  result(): JsonObject
}

/** Writes one server-sent event. `event`: undefined in formats without names. `data`: JSON text or `[DONE]`. */
export type WriteEvent = (event: string | undefined, data: string) => void

/** One wire format: from a request body to the canonical request, and from canonical chunks to a response. */
export interface Format {
  readonly name: FormatName

  /**
   * The canonical request of a body that the route's schema accepted. It shares objects with the body.
   * Throws a GatewayError (docs/errors), such as `schema_validation_failed` if two members contradict each other.
   */
  toCanonical(body: JsonObject, options: FormatOptions): CanonicalRequest

  collector(context: ReplyContext): Collector

  /** Writes chunks as events. After `fail()`, the client cannot take the reply for a complete one. */
  encoder(context: ReplyContext, write: WriteEvent): Sink

  /** The JSON body of an error response. */
  toErrorBody(body: ErrorBody): JsonObject

  /**
   * The client's name for a canonical path: in Messages `tools.0.function.name` is `tools.0.name`. `body`: the request,
   * if it is known, for members that have two names.
   */
  toClientParam(canonical: string, body?: JsonObject): string
}

/** Canonical paths that have other names in a format, each with its replacement. The first match applies. */
export type ClientNames = readonly (readonly [canonical: RegExp, client: string])[]

/** The client's name for a path; unchanged if no pattern matches. */
export function renamed(canonical: string, names: ClientNames): string {
  for (const [pattern, client] of names) {
    if (pattern.test(canonical)) return canonical.replace(pattern, client)
  }
  return canonical
}
