/** What one wire format knows of itself: the contract of lib/formats. */
import type { JsonObject } from '../base/json.ts'
import type { ErrorBody, GatewayError } from '../errors/errors.ts'
import type { ChatChunk, Sink } from './reply.ts'
import type { CanonicalRequest } from './request.ts'

/** The wire formats that clients speak. A closed set. */
export type FormatName = 'chat' | 'completions' | 'messages' | 'responses'

/** Operator's switches that change how a format behaves (docs/DESIGN.md#messages, docs/DESIGN.md#responses). */
export interface FormatOptions {
  readonly messages: { readonly adaptive_thinking: boolean; readonly tool_images_without_vision: 'refuse' | 'describe' }
  readonly responses: { readonly unknown_tools: 'reject' | 'drop'; readonly sequence_number: boolean }
  readonly clamp_max_tokens: readonly FormatName[]
}

/** What an encoder may say about the reply it writes. */
export interface Head {
  /** 32 hex digits, unique; formats put their own prefix before it. */
  readonly id: string
  /** Unix seconds. */
  readonly created: number
  /** The resolved model id. */
  readonly model: string
  readonly request: CanonicalRequest
  readonly options: FormatOptions
  /** The envelope's inner object for an error of this exchange. */
  errorBody(error: GatewayError): ErrorBody
}

/** Gathers a whole reply. */
export interface Collector {
  chunk(chunk: ChatChunk): void
  /** The body, once a clean end has been seen. */
  result(): JsonObject
}

/** Writes one SSE frame: `event:` where the format has events, and `data:` (text without raw line breaks). */
export type WriteFrame = (event: string | undefined, data: string) => void

/** Everything one wire format knows. `index.ts` of each format folder exports one. */
export interface Format {
  readonly name: FormatName
  /** request.ts: a body that its schema accepted, as a canonical request. Refuses with fail(). */
  request(body: JsonObject, options: FormatOptions): CanonicalRequest
  /** response.ts: gathers chunks into one JSON body. */
  response(head: Head): Collector
  /** stream.ts: writes chunks as events. Its fail() writes the in-band error of this format. */
  stream(head: Head, write: WriteFrame): Sink
  /** errors.ts: the body of an error answer. */
  error(body: ErrorBody): JsonObject
  /** errors.ts: a canonical path in this format's own words: `tools.0.function.name` -> `tools.0.name`. */
  param(canonical: string): string
}
