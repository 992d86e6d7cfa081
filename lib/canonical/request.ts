/**
 * The canonical request: what a client asks for, independent of the format it was sent in (docs/adr/0028). A format
 * builds it from a body that its schema accepted. Plugins check it and change it in place in `onBody`; from dispatch on
 * only the dispatcher changes it. Members that are `readonly` keep what the format wrote.
 */
import type { Json, JsonObject } from '../base/json.ts'

/** Either kind, told apart by `kind`. */
export type CanonicalRequest = ChatRequest | TextRequest

/** Members that chats and text completions have in common. */
export interface CommonRequest {
  /** As the client wrote it: an id or an alias. The model that was found is in the slot `target`. */
  model: string
  stream: boolean
  /** Number of choices; 1 unless the client sent another. The plugin `sampling` sets 1 for models with fixed sampling. */
  n: number
  /**
   * Most tokens to generate, reasoning included; undefined: no limit but the backend's own. Lowered by the plugin
   * `context-length` and the dispatcher where `clampMaxTokens` allows it.
   */
  maxTokens: number | undefined
  /** Lower maxTokens to what the prompt leaves of the context length, instead of refusing (docs/DESIGN.md#max_tokens). */
  clampMaxTokens: boolean
  /** Never empty: undefined when there are none. */
  stop: string[] | undefined
  sampling: Sampling
  /** Regular expression that the output must match. Enforced by the backend, never evaluated in this process. */
  regex: string | undefined
  /** Path of `regex` in the client's body where that is not `regex`. */
  readonly regexOrigin?: string
  /** undefined: free text. */
  responseFormat: ResponseFormat | undefined
}

/** A conversation: POST /v1/chat/completions, /v1/messages and /v1/responses. */
export interface ChatRequest extends CommonRequest {
  readonly kind: 'chat'
  /** Emptied once a backend has begun to answer: a long stream does not keep its conversation in memory. */
  messages: Message[]
  /** Empty when none were sent. */
  tools: FunctionTool[]
  /** undefined: not sent; engines then choose `auto`. */
  toolChoice: ToolChoice | undefined
  /** undefined: not sent. */
  parallelToolCalls: boolean | undefined
  reasoning: ReasoningOptions
  /** Include reasoning of earlier turns in the prompt. `param` names the client's member that asked for it. */
  preserveThinking: { readonly asked: boolean; readonly param: string }
  /** Members of the client's body that the reply repeats, as they were sent. Set by Responses; the outlet takes it. */
  echo?: JsonObject | undefined
}

/** POST /v1/completions: prompts instead of a conversation. */
export interface TextRequest extends CommonRequest {
  readonly kind: 'text'
  /** One text, several texts, the token ids of one prompt, or those of several. Emptied as ChatRequest.messages is. */
  prompt: string | string[] | number[] | number[][]
  /** Begin the reply with the prompt. */
  echo: boolean | undefined
  /** Text behind the insertion. */
  suffix: string | undefined
  /** Generate this many choices and return the best `n`; never less than `n`. */
  bestOf: number | undefined
}

/** Reasoning efforts, weakest first; `none` switches reasoning off. */
export const EFFORTS = ['none', 'low', 'medium', 'high', 'xhigh', 'max'] as const
/** One of EFFORTS. */
export type Effort = (typeof EFFORTS)[number]

/**
 * What a client asks of a model that can reason. The plugin `reasoning` replaces it by what the request gets: then
 * `enabled` is a boolean, and `effort` is set only if it is true.
 */
export interface ReasoningOptions {
  /** undefined: not sent. */
  enabled: boolean | undefined
  /** undefined: not sent; the model card's default applies. */
  effort: Effort | undefined
  /** The client's member that was sent, for `error.param`. */
  param: string
  /**
   * The default of the format, where `enabled` was not sent. `off`: no reasoning. `card`: if the model card has a default
   * effort. `able`: if the model can reason.
   */
  readonly byDefault: 'off' | 'card' | 'able'
  /** True: reasoning that the model produces anyway is not shown (docs/api/messages.md#thinking). Set by Messages only. */
  readonly hidden?: boolean
}

/** Whether the model calls tools: as it decides, never, at least one, or the function of this name. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** A function that the model may call and the client executes. */
export interface FunctionTool {
  name: string
  description: string | undefined
  /**
   * A JSON Schema object; undefined or null when the client sent none, until the plugin `tools` fills in the schema of no
   * arguments. It and `schema-refs` check what was sent.
   */
  parameters: Json | undefined
  strict: boolean | undefined
  /** Path in the client's body where that is not `tools.<index>`. */
  readonly origin?: string
  /** The group that the client put the function in, and its name in that group (`namespace` of Responses). */
  readonly namespace?: { readonly group: string; readonly member: string }
}

/** `origin`: path in the client's body where that is not `response_format`. */
export type ResponseFormat = { readonly origin?: string } & (
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema'
      name: string
      /** undefined: not sent. The plugins `response-format` and `schema-refs` check it. */
      schema: Json | undefined
      strict: boolean | undefined
      description: string | undefined
    }
  /** `grammar` is empty when none was sent. `unknown`: a member that has no meaning beside a grammar. */
  | { readonly type: 'grammar'; grammar: string; readonly unknown?: string }
  /** A type that this gateway does not know: refused by the plugin `response-format`. */
  | { readonly type: 'other'; name: string }
)

/** One message of a conversation. `role` tells which members it has. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

interface AnyMessage {
  /** Name of the participant. */
  name?: string
  /** Path in the client's body where that is not `messages.<index>`. */
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

/** An earlier turn of the model. */
export interface AssistantMessage extends AnyMessage {
  readonly role: 'assistant'
  /** null: tool calls only. */
  content: string | TextPart[] | null
  /** Reasoning of this turn (`reasoning_content`). Sent to backends only with `preserveThinking`. */
  reasoning?: string
  /** Never empty where it is present. */
  toolCalls?: ToolCall[]
}

/** The result of a tool call. */
export interface ToolMessage extends AnyMessage {
  readonly role: 'tool'
  /** undefined: not sent, which the plugin `tools` refuses. */
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
  /**
   * `https://…`, `http://…` or `data:image/…;base64,…`; empty when `fileId` names the image. After the plugin `images`
   * always a data URL.
   */
  url: string
  fileId?: string
  /** Resolution at which the model looks at the image: `low`, `high` or `auto`. */
  detail?: string
  /** Path in the client's body where that is not the message's path and `content.<index>`. */
  readonly origin?: string
}

export interface ToolCall {
  id: string
  name: string
  /** JSON text, exactly as the model wrote it. */
  arguments: string
}

/** Sampling parameters under the names of OpenAI and vLLM. An absent member was not sent. */
export interface Sampling {
  temperature?: number
  top_p?: number
  /** 0: all tokens. */
  top_k?: number
  min_p?: number
  presence_penalty?: number
  frequency_penalty?: number
  repetition_penalty?: number
  seed?: number
  /** Bias by token id. */
  logit_bias?: JsonObject
  /** Chat: whether log probabilities are returned. Text completions: for how many alternatives. */
  logprobs?: boolean | number
  /** Chat: for how many alternatives. */
  top_logprobs?: number
}

export type SamplingName = keyof Sampling

/** All of them, in the order in which requests to backends carry them: equal requests give equal bytes. */
export const SAMPLING_NAMES = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'presence_penalty',
  'frequency_penalty',
  'repetition_penalty',
  'seed',
  'logit_bias',
  'logprobs',
  'top_logprobs',
] as const satisfies readonly SamplingName[]

/** Sampling parameters as a body carries them: null means absent. */
type SamplingMembers = { readonly [Name in SamplingName]?: Sampling[Name] | null | undefined }

/** The named parameters of a body that its schema accepted; null and absent ones are left out. */
export function readSampling(body: SamplingMembers, names: readonly SamplingName[] = SAMPLING_NAMES): Sampling {
  const sampling: Sampling = {}
  for (const name of names) copy(body, sampling, name)
  return sampling
}

function copy<Name extends SamplingName>(body: SamplingMembers, sampling: Sampling, name: Name): void {
  const value = body[name]
  if (value != null) sampling[name] = value
}
