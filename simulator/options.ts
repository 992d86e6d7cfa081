import type { IncomingHttpHeaders } from 'node:http'
import type { Json } from '../lib/base/json.ts'

export const SIMULATED_ENGINES = ['vllm', 'sglang', 'llama.cpp'] as const
export type SimulatedEngine = (typeof SIMULATED_ENGINES)[number]

export interface SimulatedModel {
  readonly id: string
  /** Context window in tokens. Defaults to 32768. */
  readonly max_model_len?: number | undefined
  /** Accepts image parts, which count as 64 tokens each. Defaults to false. */
  readonly vision?: boolean | undefined
  /** Defaults to true: reasons if the request asks for it. */
  readonly reasoning?: boolean | 'always' | undefined
}

/** Options of createSimulator(). All have defaults. */
export interface SimulatorOptions {
  /** Defaults to one model called `simulated`. An empty list is refused. */
  readonly models?: readonly SimulatedModel[] | undefined
  /** The engine whose wire format, errors and omissions to imitate. Defaults to vllm. */
  readonly engine?: SimulatedEngine | undefined
  /** Speed of each stream; 0: as fast as the client reads. Defaults to 50. */
  readonly tokens_per_second?: number | undefined
  /** Time from the start of a request to its first token. Defaults to 100. */
  readonly first_token_ms?: number | undefined
  /** Relative deviation of the gaps between tokens, 0 to 1. Defaults to 0. */
  readonly jitter?: number | undefined
  /** Default length of an answer in tokens. Defaults to 48. */
  readonly answer_tokens?: number | undefined
  /** Maximum number of running requests. Defaults to no limit. */
  readonly max_concurrency?: number | undefined
  /** Maximum number of waiting requests. Defaults to no limit. */
  readonly max_queue?: number | undefined
  /** Refuse with a 200 whose first event is the error. Defaults to the engine's behaviour. */
  readonly queue_full_in_stream?: boolean | undefined
  /** Requests below /v1 need this key as a bearer token. */
  readonly api_key?: string | undefined
  /** Member of chat_template_kwargs that switches reasoning. Defaults to enable_thinking. */
  readonly thinking_kwarg?: 'enable_thinking' | 'thinking' | undefined
  /** Reason if the request does not specify reasoning. Defaults to the engine's behaviour. */
  readonly reasoning_by_default?: boolean | undefined
  /** The chat template accepts system messages anywhere. Defaults to false: a 400 unless they are first. */
  readonly system_inline?: boolean | undefined
  /** The chat template accepts the role developer. Defaults to false: a 400. */
  readonly developer_role?: boolean | undefined
  /** Report cached tokens in usage. Defaults to true. */
  readonly report_cached_tokens?: boolean | undefined
  /** Size of the prefix cache in blocks of 16 tokens. Defaults to 16384; 0: no cache. */
  readonly cache_blocks?: number | undefined
  /** Seed of the answers. Defaults to 0. */
  readonly seed?: number | undefined
  /** Called for every request to a POST route, after its body has been read. */
  readonly onRequest?: ((request: SimulatedRequest) => void) | undefined
}

export interface SimulatedRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Json
}

/** A model with defaults applied. */
export type ModelSettings = { readonly [Name in keyof SimulatedModel]-?: NonNullable<SimulatedModel[Name]> }

/** The options with defaults applied. */
export interface Settings {
  readonly models: readonly ModelSettings[]
  readonly tokensPerSecond: number
  readonly firstTokenMs: number
  readonly jitter: number
  readonly answerTokens: number
  readonly thinkingKwarg: 'enable_thinking' | 'thinking'
  readonly reasoningByDefault: boolean
  readonly systemInline: boolean
  readonly developerRole: boolean
  readonly reportCachedTokens: boolean
  readonly queueFullInStream: boolean
  readonly seed: number
}

/** Defaults that depend on the engine. */
export interface EngineDefaults {
  readonly reasoningByDefault: boolean
  readonly queueFullInStream: boolean
}

export function settingsOf(options: SimulatorOptions, engine: EngineDefaults): Settings {
  const models = options.models ?? [{ id: 'simulated' }]
  if (models.length === 0) throw new TypeError('A simulator needs at least one model.')
  return {
    models: models.map(({ id, max_model_len = 32_768, vision = false, reasoning = true }) => ({
      id,
      max_model_len,
      vision,
      reasoning,
    })),
    tokensPerSecond: options.tokens_per_second ?? 50,
    firstTokenMs: options.first_token_ms ?? 100,
    jitter: options.jitter ?? 0,
    answerTokens: options.answer_tokens ?? 48,
    thinkingKwarg: options.thinking_kwarg ?? 'enable_thinking',
    reasoningByDefault: options.reasoning_by_default ?? engine.reasoningByDefault,
    systemInline: options.system_inline ?? false,
    developerRole: options.developer_role ?? false,
    reportCachedTokens: options.report_cached_tokens ?? true,
    queueFullInStream: options.queue_full_in_stream ?? engine.queueFullInStream,
    seed: options.seed ?? 0,
  }
}
