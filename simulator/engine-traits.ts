import type { JsonObject } from '../lib/base/json.ts'
import type { EngineDefaults, ModelSettings } from './options.ts'
import type { Refusal } from './refusal.ts'

/** How one engine differs from the others, as facts. Nothing else asks for an engine's name. */
export interface EngineTraits extends EngineDefaults {
  /** Member of replies that holds reasoning. */
  readonly reasoningField: 'reasoning' | 'reasoning_content'
  /** Members of assistant messages that reach the prompt as reasoning. */
  readonly reasoningInputs: readonly string[]
  /** Values of reasoning_effort that pass validation; null: nothing is validated. */
  readonly efforts: readonly string[] | null
  readonly continuousUsage: boolean
  /** Chunks without counters say `usage: null`. */
  readonly usageNullOnChunks: boolean
  /** Text completions: usage rides on the last chunk of a choice, asked for or not, and no chunk of its own follows. */
  readonly textUsageOnLastChunk: boolean
  /** In streams each choice ends with a usage of its own; whole replies have the first one's alone. */
  readonly usageOfOneChoice: boolean
  /** The stream of several prompts begins with a null. */
  readonly batchBeginsWithNull: boolean
  /** Log probabilities of a text have the shape of a chat's. */
  readonly textLogprobsAsChat: boolean
  /** Log probabilities come only with at least one alternative to each token. */
  readonly logprobsNeedTop: boolean
  /** Chats: members without a value are left out. */
  readonly sparse: boolean
  /** A whole reply is given up when its client leaves; else it is generated to the end. */
  readonly givesUpWhole: boolean
  /** tool_choice takes a named function; else it counts as `auto`. */
  readonly namedToolChoice: boolean
  readonly namedToolFinish: 'stop' | 'tool_calls'
  /** parallel_tool_calls: false is obeyed. */
  readonly parallelSwitch: boolean
  /** Where constraints stand. */
  readonly structured: 'structured_outputs' | 'sglang' | 'llama.cpp'
  readonly tokenize: 'messages' | 'prompt' | 'content'
  /** Unknown model names are a 404; else any name is taken. */
  readonly checksModel: boolean
  /** Text completions: `suffix` is refused. */
  readonly refusesSuffix: boolean
  readonly echo: boolean
  /** Member of a choice that names what stopped it; null: there is none. */
  readonly stopField: 'stop_reason' | 'matched_stop' | null
  /** Value of that member when the model ended by itself. */
  readonly naturalStop: number | null
  readonly zeroCachedIsNull: boolean
  readonly argumentPieces: 'tokens' | 'characters'
  /** The last token of a choice that ran into its limit shares the chunk with the finish reason. */
  readonly finishCarriesText: boolean
  readonly doneAfterError: boolean
  readonly maxRequestsPerSocket: number
  readonly streamHeaders: Readonly<Record<string, string>>
  readonly idPrefix: { readonly chat: string; readonly text: string; readonly tool: string }
  readonly queueFull: Refusal
  /** An image for a model that cannot see. */
  readonly noVision: Refusal
  /** Bytes that are not JSON. */
  readonly invalidJson: Refusal
  readonly unauthorized: { readonly status: 401; readonly body: JsonObject }
  /** Answers to GET requests beside /v1/models and /health. */
  readonly info: Readonly<Record<string, (model: ModelSettings) => JsonObject>>
  /** `delta` with this one member, already JSON. */
  delta(member: string, json: string): string
  /** `delta` of the chunk that starts a choice. */
  readonly openingDelta: string
  /** `delta` of the chunk with the finish reason. */
  readonly closingDelta: string
  /** A fragment of a tool call; `name` and `id` are there on the first. */
  toolDelta(
    index: number,
    args: string,
    opening: { readonly id: string; readonly name: string } | undefined,
  ): JsonObject
  /** Members of a whole message beside role, content, reasoning and tool calls. */
  readonly messageExtras: JsonObject
  /** Members of a whole reply beside the usual ones. */
  readonly replyExtras: JsonObject
  /** Members of usage beside the three counters and the cached tokens. */
  usageExtras(reasoningTokens: number): JsonObject
  /** A chunk without choices before the usage chunk; undefined: there is none. */
  readonly extraChunk: JsonObject | undefined
  errorBody(refusal: Refusal): JsonObject
  routeError(status: 404 | 405): JsonObject
  modelList(models: readonly ModelSettings[], created: number): JsonObject
  /** Refuses a request that does not fit the context window. `maxTokens` undefined: not limited. */
  checkContext(promptTokens: number, maxTokens: number | undefined, window: number): Refusal | undefined
}
