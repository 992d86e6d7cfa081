/**
 * The canonical request: what a client asked for, whatever format it asked in. Every wire format translates to it, and
 * every rule speaks it.
 */
import type { Json, JsonObject } from '../base/json.ts'

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
  /** Lower maxTokens to the room the prompt leaves instead of refusing (docs/DESIGN.md#max_tokens). */
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

/** POST /v1/chat/completions, /v1/messages and /v1/responses: a conversation. */
export interface ChatRequest extends CommonRequest {
  readonly kind: 'chat'
  /** Empty once the answer is on its way: no conversation is kept for as long as its answer takes. */
  messages: ChatMessage[]
  /** Empty when none were sent. */
  tools: FunctionTool[]
  toolChoice: ToolChoice | undefined
  parallelToolCalls: boolean | undefined
  reasoning: ReasoningOptions
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

/** Reasoning efforts, in rising order; `none` switches reasoning off. */
export const EFFORTS = ['none', 'low', 'medium', 'high', 'xhigh', 'max'] as const
/** One of EFFORTS. */
export type Effort = (typeof EFFORTS)[number]

/** What the client asked for; after the reasoning rule, what it gets: `enabled` is settled, an effort means on. */
export interface ReasoningOptions {
  /** undefined: the client did not say. */
  enabled: boolean | undefined
  effort: Effort | undefined
  /** The member that said it, for `error.param`. */
  param: string
  /** What not saying means on this route: off, what the model card has as default effort, or on where the model can. */
  readonly whenUnsaid: 'off' | 'card' | 'able'
  /**
   * True: reasoning that the model produces anyway is not shown (docs/api/messages.md#thinking). Set by Messages only.
   */
  readonly hidden?: boolean
}

/** Whether the model calls tools: as it likes, never, at least one, or this one. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** A function that the model may call. */
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

/** One message of a conversation; `role` tells which members it has. */
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

/** A part of a message's content. */
export type ContentPart = TextPart | ImagePart

export interface TextPart {
  readonly type: 'text'
  text: string
}

/** An image in a message's content. */
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
