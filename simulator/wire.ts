import type { Json, JsonObject } from '../lib/base/json.ts'
import type { EngineTraits } from './engine-traits.ts'
import type { Plan } from './plan.ts'
import type { PromptCount } from './prefix-cache.ts'
import type { Cursor, Script } from './script.ts'

/** Writes a plan as server-sent events or as one body. Methods return frames; an empty text: no frame. */
export interface Wire {
  /** Frames before the first token of a choice. */
  open(choice: number): string
  /** Frames of the token at the cursor. */
  token(choice: number, cursor: Cursor): string
  /** Frames after the last token of a choice. */
  close(choice: number, cursor: Cursor): string
  /** Frames after the last choice, without `[DONE]`. */
  end(): string
  whole(): JsonObject
}

export const DONE = 'data: [DONE]\n\n'

export function dataFrame(data: JsonObject): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

/** The usage of a reply, or of one choice; undefined if a directive omits it. */
function finalUsage(
  plan: Plan,
  engine: EngineTraits,
  reportCached: boolean,
  choice = 0,
): JsonObject | null | undefined {
  const { usage: override } = plan.directives
  if (override !== undefined) return override === 'null' ? null : undefined
  const counted = engine.usageOfOneChoice ? plan.scripts.slice(choice, choice + 1) : plan.scripts
  const completion = counted.reduce((sum, script) => sum + script.tokens, 0)
  const reasoning = counted.reduce((sum, script) => sum + script.reasoningTokens, 0)
  const { tokens, cached } = engine.usageOfOneChoice ? promptOf(plan, choice) : plan.prompt
  const isNull = !reportCached || (cached === 0 && engine.zeroCachedIsNull)
  return {
    prompt_tokens: tokens,
    total_tokens: tokens + completion,
    completion_tokens: completion,
    prompt_tokens_details: isNull ? null : { cached_tokens: cached },
    ...engine.usageExtras(reasoning),
  }
}

function promptOf({ prompts, scripts }: Plan, choice: number): PromptCount {
  return prompts[Math.floor((choice * prompts.length) / scripts.length)]!
}

/** The members of a choice with its finish reason, in the form of the engine. */
export function ending(script: Script, engine: EngineTraits): JsonObject {
  const end: JsonObject = { finish_reason: script.finish }
  if (engine.stopField !== null) {
    const natural = script.finish === 'length' ? null : engine.naturalStop
    end[engine.stopField] = script.matchedStop ?? natural
  }
  return end
}

/** The JSON between a choice's text and the end of its chunk. */
interface ChunkTails {
  /** While the choice is unfinished. */
  readonly open: string
  /** With the finish reason, per choice. */
  readonly closed: readonly string[]
}

function chunkTails(plan: Plan, engine: EngineTraits): ChunkTails {
  return {
    open: '"finish_reason":null}]',
    closed: plan.scripts.map(script => `${JSON.stringify(ending(script, engine)).slice(1, -1)}}]`),
  }
}

/**
 * The usage so far of a chunk, if requested: of its choice and the prompt of the choice, as in vLLM. `completion`:
 * number of tokens including that of this chunk; 0: this chunk has none.
 */
export function runningUsage(plan: Plan, engine: EngineTraits, completion: number, choice = 0): string {
  if (!plan.hasRunningUsage || plan.directives.usage !== undefined)
    return engine.usageNullOnChunks ? ',"usage":null' : ''
  const { tokens, cached } = promptOf(plan, choice)
  if (engine.runningUsage === 'usage')
    return `,"usage":{"prompt_tokens":${tokens},"total_tokens":${tokens + completion},"completion_tokens":${completion}}`
  return completion === 0 ? '' : `,"timings":${JSON.stringify(timings(tokens, cached, completion))}`
}

/** `timings` of llama-server (tools/server/server-task.cpp), without times. */
function timings(prompt: number, cached: number, completion: number): JsonObject {
  return { cache_n: cached, prompt_n: prompt - cached, predicted_n: completion }
}

/** Log probabilities in the form of the engines, with constant values. */
export function chatLogprobs(tokens: readonly string[]): Json {
  return {
    content: tokens.map(token => ({ token, logprob: -0.25, bytes: [...Buffer.from(token)], top_logprobs: [] })),
  }
}

export function textLogprobs(tokens: readonly string[]): Json {
  let offset = 0
  const offsets = tokens.map(token => {
    offset += token.length
    return offset - token.length
  })
  return {
    text_offset: offsets,
    token_logprobs: tokens.map(() => -0.25),
    tokens: [...tokens],
    top_logprobs: tokens.map(() => null),
  }
}

/** Common base of the wires. */
export abstract class PlannedWire {
  protected readonly plan: Plan
  protected readonly engine: EngineTraits
  protected readonly tails: ChunkTails
  readonly #reportCached: boolean

  constructor(plan: Plan, engine: EngineTraits, reportCached: boolean) {
    this.plan = plan
    this.engine = engine
    this.tails = chunkTails(plan, engine)
    this.#reportCached = reportCached
  }

  protected envelope(object: string): JsonObject {
    const { id, created, model } = this.plan
    return { id, object, created, model }
  }

  /** The text of a chunk up to the value of this member, per choice. */
  protected heads(envelope: JsonObject, member: string): readonly string[] {
    const start = JSON.stringify(envelope).slice(0, -1)
    return this.plan.scripts.map((_, choice) => `data: ${start},"choices":[{"index":${choice},"${member}":`)
  }

  protected finalUsage(choice = 0): JsonObject | null | undefined {
    return finalUsage(this.plan, this.engine, this.#reportCached, choice)
  }

  /** True if the engine sends the finish reason together with the last text. */
  protected sharesLast(script: Script): boolean {
    return this.engine.finishCarriesText && script.finish === 'length'
  }
}
