/**
 * The canonical form: the one language that every wire format translates to and from, and that every rule,
 * stage and backend call speaks. A format imports this file and its own folder, nothing else.
 * Types and the few words formats share; no behaviour lives here.
 */
import type { ErrorBody, GatewayError } from './errors.ts'
import type { Json, JsonObject } from './json.ts'

export { fail, failure } from './errors.ts'
export { isObject, parseJson } from './json.ts'
export { quoted } from './quoted.ts'
export type { ErrorBody, GatewayError, Json, JsonObject }

// ---------------------------------------------------------------- requests

/** What a client asked for, whatever format it asked in. Rules change it in place before it is dispatched. */
export type CanonicalRequest = ChatRequest | TextRequest

/** Members that a chat and a text completion have in common. */
export interface CommonRequest {
  /** As the client wrote it: an id or an alias. */
  model: string
  stream: boolean
  /** How many choices; 1 unless the client said otherwise. */
  n: number
  /** Most tokens to generate, reasoning included; undefined: the backend's own limit. */
  maxTokens: number | undefined
  /** Lower maxTokens to the room the prompt leaves instead of refusing (design.md section 6, clamp_max_tokens). */
  clampMaxTokens: boolean
  stop: string[] | undefined
  sampling: Sampling
  /** Constrained decoding, never evaluated in this process; and its path in the client's own body where that differs. */
  regex: string | undefined
  readonly regexOrigin?: string
  responseFormat: ResponseFormat | undefined
}

/** Sampling controls under their OpenAI and vLLM names; absent members were not sent. */
export interface Sampling {
  temperature?: number
  top_p?: number
  top_k?: number
  min_p?: number
  presence_penalty?: number
  frequency_penalty?: number
  repetition_penalty?: number
  seed?: number
  logit_bias?: JsonObject
  /** Chat: a boolean. Text completions: how many alternatives. */
  logprobs?: boolean | number
  top_logprobs?: number
}

export interface ChatRequest extends CommonRequest {
  readonly kind: 'chat'
  /** Empty once the answer is on its way: no conversation is kept for as long as its answer takes. */
  messages: ChatMessage[]
  /** Empty when none were sent. */
  tools: FunctionTool[]
  toolChoice: ToolChoice | undefined
  parallelToolCalls: boolean | undefined
  reasoning: ReasoningWish
  /** Carry reasoning of earlier turns into the prompt; `param` is the member that asked. */
  preserveThinking: { readonly asked: boolean; readonly param: string }
}

/** POST /v1/completions: prompts that are no conversation. */
export interface TextRequest extends CommonRequest {
  readonly kind: 'text'
  /** Empty once the answer is on its way. */
  prompt: string | string[] | number[] | number[][]
  echo: boolean | undefined
  suffix: string | undefined
  bestOf: number | undefined
}

export const EFFORTS = ['none', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof EFFORTS)[number]

/** What the client asked for; after the reasoning rule, what it gets: `enabled` is settled, an effort means on. */
export interface ReasoningWish {
  /** undefined: the client did not say. */
  enabled: boolean | undefined
  effort: Effort | undefined
  /** The member that said it, for `error.param`. */
  param: string
  /** What not saying means on this route: off, what the model card has as default effort, or on where the model can. */
  readonly whenUnsaid: 'off' | 'card' | 'able'
  /** True: what the model thinks all the same is not shown (api.md "Messages-format" rule 3). Only Messages sets it. */
  readonly hidden?: boolean
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

export interface FunctionTool {
  name: string
  description: string | undefined
  /** A JSON Schema object; undefined when the client sent none. */
  parameters: Json | undefined
  strict: boolean | undefined
  /** Path in the client's own body where that differs from `tools.<index>`. */
  readonly origin?: string
  /** The client's own group of functions that this one belongs to, and its name in there (Responses `namespace`). */
  readonly namespace?: { readonly group: string; readonly member: string }
}

/** `origin`: path in the client's own body where that differs from `response_format`. */
export type ResponseFormat = { readonly origin?: string } & (
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema'
      name: string
      schema: Json | undefined
      strict: boolean | undefined
      description: string | undefined
    }
  // `unknown`: a member that means nothing beside a grammar.
  | { readonly type: 'grammar'; grammar: string; readonly unknown?: string }
  /** A type this gateway has no name for; refused by the response-format rule. */
  | { readonly type: 'other'; name: string }
)

export type ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage

interface AnyMessage {
  name?: string
  /** Path in the client's own body where that differs from `messages.<index>`. */
  readonly origin?: string
}

export interface SystemMessage extends AnyMessage {
  readonly role: 'system' | 'developer'
  content: string | TextPart[]
}

export interface UserMessage extends AnyMessage {
  readonly role: 'user'
  content: string | ContentPart[]
}

export interface AssistantMessage extends AnyMessage {
  readonly role: 'assistant'
  content: string | TextPart[] | null
  /** Reasoning text of this earlier turn (`reasoning_content`). */
  reasoning?: string
  toolCalls?: ToolCall[]
}

export interface ToolMessage extends AnyMessage {
  readonly role: 'tool'
  /** undefined when the client left it out: the tools rule refuses that. */
  toolCallId: string | undefined
  content: string | ContentPart[]
}

export type ContentPart = TextPart | ImagePart

export interface TextPart {
  readonly type: 'text'
  text: string
}

export interface ImagePart {
  readonly type: 'image'
  /** `https://…`, `http://…` or `data:image/…;base64,…`. Empty when `fileId` names the image. */
  url: string
  fileId?: string
  detail?: string
  readonly origin?: string
}

export interface ToolCall {
  id: string
  name: string
  /** JSON text, exactly as the model wrote it. */
  arguments: string
}

// ---------------------------------------------------------------- replies

export const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter'] as const
export type FinishReason = (typeof FINISH_REASONS)[number]

/**
 * One step of a reply. A stream is many of them; a whole JSON reply is one for each choice, so that stages and
 * encoders are written once. Every member is always present, so that all chunks share one hidden class.
 */
export interface ChatChunk {
  /** Index of the choice; -1 on a chunk that carries only usage. */
  choice: number
  /** The first chunk of a choice: the assistant's turn starts. */
  start: boolean
  text: string | undefined
  reasoning: string | undefined
  refusal: string | undefined
  toolCalls: ToolCallDelta[] | undefined
  /** Passed through in OpenAI's shape. */
  logprobs: Json | undefined
  finish: FinishReason | undefined
  /** The stop string or stop token id that matched, where the engine says so. */
  matchedStop: string | number | undefined
  /** Running totals of the whole reply: the last value counts, values are never added. */
  usage: Usage | undefined
  /** What is wrong with the backend's usage where it could not be read (api.md `usage_parse_error`). */
  usageError?: string | undefined
}

export interface ToolCallDelta {
  index: number
  /** On the first fragment of a call. */
  id: string | undefined
  name: string | undefined
  /** A piece of the arguments' JSON text. */
  arguments: string
}

export interface Usage {
  readonly promptTokens: number
  readonly completionTokens: number
  /** null: the engine did not say. */
  readonly cachedTokens: number | null
  readonly reasoningTokens: number | null
}

/** An empty chunk for this choice, all members present. */
export function newChunk(choice: number): ChatChunk {
  return {
    choice,
    start: false,
    text: undefined,
    reasoning: undefined,
    refusal: undefined,
    toolCalls: undefined,
    logprobs: undefined,
    finish: undefined,
    matchedStop: undefined,
    usage: undefined,
    usageError: undefined,
  }
}

/** Where chunks go: `chunk` any number of times, then `end` or `fail` exactly once. */
export interface Sink {
  chunk(chunk: ChatChunk): void
  end(): void
  fail(error: GatewayError): void
}

// ---------------------------------------------------------------- formats

export type FormatName = 'chat' | 'completions' | 'messages' | 'responses'

/** Operator's switches that change how a format behaves (design.md section 6). */
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
