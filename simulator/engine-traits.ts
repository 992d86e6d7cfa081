import type { Json, JsonObject } from '../lib/base/json.ts'
import type { AudioRoute } from './audio.ts'
import type { EngineLoad } from './load.ts'
import type { EngineDefaults, ModelSettings } from './options.ts'
import type { Refusal } from './refusal.ts'

/** Inputs of a pooling route other than the body. */
export interface PoolingContext {
  readonly model: string
  readonly seed: number
  /** Throws the engine's refusal if an input of `tokens` tokens is too long. */
  checkLength(tokens: number): void
}

/** A reply of bytes. */
export interface Sound {
  readonly mediaType: string
  readonly bytes: Buffer
}

/** The reply to a body of a model that generates no text. Throws a Refusal. */
export type PoolingRoute = (body: JsonObject, context: PoolingContext) => Json | Sound

/** The differences between engines, as data. No other code depends on an engine's name. */
export interface EngineTraits extends EngineDefaults {
  /** Member of replies that contains reasoning. */
  readonly reasoningField: 'reasoning' | 'reasoning_content'
  /** Members of assistant messages whose reasoning is part of the prompt. */
  readonly reasoningInputs: readonly string[]
  /** Valid values of reasoning_effort; null: any. */
  readonly efforts: readonly string[] | null
  /** Valid values of `detail` of an image; null: any. */
  readonly imageDetails: readonly string[] | null
  /** The running usage of a choice, if requested: `usage` of each chunk, or `timings` of each chunk with a token. */
  readonly runningUsage: 'usage' | 'timings'
  /** Chunks without usage have `usage: null`. */
  readonly usageNullOnChunks: boolean
  /** Text completions: usage is always in the last chunk of a choice, and there is no separate usage chunk. */
  readonly textUsageOnLastChunk: boolean
  /** In streams each choice ends with its own usage; JSON replies contain that of the first choice only. */
  readonly usageOfOneChoice: boolean
  /** The stream of several prompts starts with a null. */
  readonly batchBeginsWithNull: boolean
  /** Log probabilities of text completions have the form of chat completions. */
  readonly textLogprobsAsChat: boolean
  /** Log probabilities are returned only if at least one alternative per token is requested. */
  readonly logprobsNeedTop: boolean
  /** Chat completions: members without a value are omitted. */
  readonly sparse: boolean
  /** A JSON reply is cancelled if its client disconnects; otherwise it is generated to the end. */
  readonly cancelsJsonReply: boolean
  /** tool_choice accepts a named function; otherwise that counts as `auto`. */
  readonly namedToolChoice: boolean
  readonly namedToolFinish: 'stop' | 'tool_calls'
  /** parallel_tool_calls: false has an effect. */
  readonly parallelSwitch: boolean
  /** The members that contain constraints. */
  readonly structured: 'structured_outputs' | 'sglang' | 'llama.cpp'
  readonly tokenize: 'messages' | 'content'
  /** Unknown model names are a 404; otherwise any name is accepted. */
  readonly checksModel: boolean
  /** The refusal of a valid body that the engine does not accept; undefined: it accepts the body. */
  refusalOf(body: JsonObject, route: 'chat' | 'text'): Refusal | undefined
  readonly echo: boolean
  /** `cache_salt` separates prompts in the prefix cache. */
  readonly cacheSalt: boolean
  /** Member of a choice that contains the stop string; null: none. */
  readonly stopField: 'stop_reason' | 'matched_stop' | null
  /** Value of `stopField` if the model ended the reply. */
  readonly naturalStop: number | null
  readonly zeroCachedIsNull: boolean
  /** Arguments of tool calls are sent token by token or two characters at a time. */
  readonly argumentPieces: 'tokens' | 'characters'
  /** If a choice reaches its token limit, the last token is in the chunk with the finish reason. */
  readonly finishCarriesText: boolean
  readonly doneAfterError: boolean
  readonly maxRequestsPerSocket: number
  readonly streamHeaders: Readonly<Record<string, string>>
  readonly idPrefix: { readonly chat: string; readonly text: string; readonly tool: string }
  readonly queueFull: Refusal
  /** The reply to an image for a model without vision. */
  readonly noVision: Refusal
  /** The reply to a body that is not JSON. */
  readonly invalidJson: Refusal
  readonly unauthorized: { readonly status: 401; readonly body: JsonObject }
  /** POST routes of embedding, reranking, scoring and classifying models, by path. */
  readonly pooling: Readonly<Record<string, PoolingRoute>>
  /** POST routes of transcribing models, by path. */
  readonly audio: Readonly<Record<string, AudioRoute>>
  /** Body of GET /health while the server is healthy; empty: none. */
  readonly healthBody: string
  /** Replies to GET requests other than /v1/models and /health: JSON, or a text. `model`: the first one. */
  readonly info: Readonly<Record<string, (model: ModelSettings, load: EngineLoad) => Json | string>>
  /** Member with the text in the reply of POST /detokenize. */
  readonly detokenized: 'prompt' | 'text' | 'content'
  /** `delta` with this member only. `json`: its value as JSON. */
  delta(member: string, json: string): string
  /** `delta` of the chunk that starts a choice. */
  readonly openingDelta: string
  /** `delta` of the chunk with the finish reason. */
  readonly closingDelta: string
  /** A fragment of a tool call. `opening`: set for the first fragment. */
  toolDelta(
    index: number,
    args: string,
    opening: { readonly id: string; readonly name: string } | undefined,
  ): JsonObject
  /** Further members of the message of a JSON reply. */
  readonly messageExtras: JsonObject
  /** Further members of a JSON reply. */
  readonly replyExtras: JsonObject
  /** Members of usage other than the three counters and the cached tokens. */
  usageExtras(reasoningTokens: number): JsonObject
  /** A chunk without choices before the usage chunk; undefined: none. */
  readonly extraChunk: JsonObject | undefined
  errorBody(refusal: Refusal): JsonObject
  routeError(status: 404 | 405): JsonObject
  modelList(models: readonly ModelSettings[], created: number): JsonObject
  /**
   * The refusal of a request that does not fit into the context window. `maxTokens` undefined: no limit. `images`:
   * number of prompt tokens that are images.
   */
  checkContext(
    promptTokens: number,
    maxTokens: number | undefined,
    window: number,
    images?: number,
  ): Refusal | undefined
}
