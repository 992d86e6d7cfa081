/**
 * A client's request, independent of its format (docs/adr/0028). Plugins check and change it in `onBody`;
 * afterwards only the dispatcher changes it. `readonly` members keep the values of the format.
 */
import type { Json, JsonObject } from '../base/json.ts'

/** A chat or a text completion, by `kind`. */
export type CanonicalRequest = ChatRequest | TextRequest

/** Members that chats and text completions have in common. */
interface CommonRequest {
  /** Id or alias, as the client sent it. The slot `target` contains the resolved model. */
  model: string
  stream: boolean
  /** Number of choices. The plugin `sampling` sets 1 for models with fixed sampling. */
  n: number
  /**
   * Maximum number of generated tokens, reasoning included; undefined: only the backend's limit applies.
   * The plugin `context-length` and the dispatcher lower it if `clampMaxTokens` is true.
   */
  maxTokens: number | undefined
  /** True: maxTokens is lowered to the rest of the context window instead of refused (docs/DESIGN.md#max_tokens). */
  clampMaxTokens: boolean
  /** Never empty; undefined: none. */
  stop: string[] | undefined
  sampling: Sampling
  /** Regular expression that the output must match. Enforced by the backend, never evaluated in this process. */
  regex: string | undefined
  /** Path of `regex` in the client's body, if it is not `regex`. */
  readonly regexOrigin?: string
  /** undefined: free text. */
  responseFormat: ResponseFormat | undefined
  /** Members of the client's body that the engine reads as they are (`passthrough` of the model). */
  passthrough?: JsonObject | undefined
}

/** A conversation: POST /v1/chat/completions, /v1/messages and /v1/responses. */
export interface ChatRequest extends CommonRequest {
  readonly kind: 'chat'
  /** Emptied when a backend starts to answer, so that a long stream does not keep its conversation in memory. */
  messages: Message[]
  /** Empty if none were sent. */
  tools: FunctionTool[]
  /** undefined: not sent; engines then use `auto`. */
  toolChoice: ToolChoice | undefined
  /** undefined: not sent. */
  parallelToolCalls: boolean | undefined
  reasoning: ReasoningOptions
  /** Whether reasoning of earlier turns is part of the prompt. `param`: the client's member that asks for it. */
  preserveThinking: { readonly asked: boolean; readonly param: string }
  /** Members of the client's body that the reply repeats. Set by Responses; the outlet removes it. */
  echo?: JsonObject | undefined
}

/** POST /v1/completions: prompts instead of a conversation. */
export interface TextRequest extends CommonRequest {
  readonly kind: 'text'
  /** One text, several texts, the token ids of one prompt, or those of several. Emptied like ChatRequest.messages. */
  prompt: string | string[] | number[] | number[][]
  /** True: the reply starts with the prompt. */
  echo: boolean | undefined
  /** Text after the insertion. */
  suffix: string | undefined
  /** Number of choices to generate, of which the best `n` are returned; never less than `n`. */
  bestOf: number | undefined
}

/** Reasoning efforts, weakest first; `none` switches reasoning off. */
export const EFFORTS = ['none', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof EFFORTS)[number]

/** Reasoning that a client asks for. The plugin `reasoning` sets `enabled`, and keeps `effort` only if that is true. */
export interface ReasoningOptions {
  /** undefined: not sent. */
  enabled: boolean | undefined
  /** undefined: not sent; the model card's default applies. */
  effort: Effort | undefined
  /** The client's member that was sent, for `error.param`. */
  param: string
  /** Default of the format. `off`: none. `card`: if the model card has a default effort. `able`: if the model can. */
  readonly byDefault: 'off' | 'card' | 'able'
  /** True: unavoidable reasoning is not shown (docs/api/messages.md#thinking). Only Messages sets it. */
  readonly hidden?: boolean
}

/** Whether the model calls tools: as it decides, never, at least one, or the function with this name. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** A function that the model may call and the client executes. */
export interface FunctionTool {
  name: string
  description: string | undefined
  /** A JSON Schema object, checked by `tools` and `schema-refs`. If unset, `tools` sets the schema of no arguments. */
  parameters: Json | undefined
  strict: boolean | undefined
  /** Path in the client's body, if it is not `tools.<index>`. */
  readonly origin?: string
  /** The client's group of the function, and its name in that group (`namespace` of Responses). */
  readonly namespace?: { readonly group: string; readonly member: string }
}

/** `origin`: path in the client's body, if it is not `response_format`. */
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
  /** `grammar` is empty if none was sent. `unknown`: a member that has no meaning together with a grammar. */
  | { readonly type: 'grammar'; grammar: string; readonly unknown?: string }
  /** An unknown type, which the plugin `response-format` refuses. */
  | { readonly type: 'other'; name: string }
)

/** One message of a conversation. Its members depend on `role`. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

interface AnyMessage {
  /** Name of the participant. */
  name?: string
  /** Path in the client's body, if it is not `messages.<index>`. */
  readonly origin?: string
}

export interface SystemMessage extends AnyMessage {
  readonly role: 'system' | 'developer'
  content: string | TextPart[]
}

interface UserMessage extends AnyMessage {
  readonly role: 'user'
  content: string | ContentPart[]
}

/** An earlier turn of the model. */
export interface AssistantMessage extends AnyMessage {
  readonly role: 'assistant'
  /** null: only tool calls. */
  content: string | TextPart[] | null
  /** Reasoning of this turn (`reasoning_content`). Sent to backends only with `preserveThinking`. */
  reasoning?: string
  /** Never empty. */
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
  /** `http(s)://…` or `data:image/…;base64,…`; empty if `fileId` is set. The plugin `images` sets a data URL. */
  url: string
  fileId?: string
  /** Resolution at which the model looks at the image: `low`, `high` or `auto`. */
  detail?: string
  /** Path in the client's body, if it is not the message's path and `content.<index>`. */
  readonly origin?: string
}

export interface ToolCall {
  id: string
  name: string
  /** JSON text as the model wrote it. */
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

type SamplingName = keyof Sampling

/** All parameters, in their order in requests to backends: equal requests have equal bytes. */
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

/** Sampling parameters of a body: null means absent. */
type SamplingMembers = { readonly [Name in SamplingName]?: Sampling[Name] | null | undefined }

/** The named parameters of a body that its schema accepted, without null and absent ones. */
export function readSampling(body: SamplingMembers, names: readonly SamplingName[] = SAMPLING_NAMES): Sampling {
  const sampling: Sampling = {}
  for (const name of names) copy(body, sampling, name)
  return sampling
}

function copy<Name extends SamplingName>(body: SamplingMembers, sampling: Sampling, name: Name): void {
  const value = body[name]
  if (value != null) sampling[name] = value
}
