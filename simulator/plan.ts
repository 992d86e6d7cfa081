import { randomUUID } from 'node:crypto'
import { systemClock } from '../lib/base/clock.ts'
import { isObject, type Json, type JsonObject } from '../lib/base/json.ts'
import { DirectiveError, type Directives, parseDirectives } from './directives.ts'
import type { EngineTraits } from './engine-traits.ts'
import type { ModelSettings, Settings } from './options.ts'
import type { PrefixCache, PromptCount } from './prefix-cache.ts'
import { badRequest, Refusal } from './refusal.ts'
import type { Script } from './script.ts'

/** The state that all routes share. */
export interface Simulation {
  readonly settings: Settings
  readonly engine: EngineTraits
  readonly cache: PrefixCache
}

/** A complete reply, planned before its first byte is sent. */
export interface Plan {
  readonly id: string
  /** Unix seconds. */
  readonly created: number
  readonly model: string
  readonly stream: boolean
  readonly includeUsage: boolean
  /** Chunks have the usage so far, in the form of the engine. */
  readonly hasRunningUsage: boolean
  readonly logprobs: boolean
  /** Sum over all prompts. */
  readonly prompt: PromptCount
  /** Choices are assigned to prompts in order, the same number to each. */
  readonly prompts: readonly PromptCount[]
  /** One per choice. */
  readonly scripts: readonly Script[]
  /** Text completions: the prompt that is repeated before each choice; undefined: none. */
  readonly echo: readonly string[] | undefined
  readonly directives: Directives
}

/** The members of a plan that are equal for all routes. */
export function planOf(
  body: JsonObject,
  model: string,
  idPrefix: string,
  engine: EngineTraits,
): Omit<Plan, 'prompt' | 'prompts' | 'scripts' | 'echo' | 'directives'> {
  const stream = body.stream === true
  const options = isObject(body.stream_options) ? body.stream_options : undefined
  if (options !== undefined && !stream) {
    throw badRequest('Stream options can only be defined when `stream=True`.', 'stream_options')
  }
  const includeUsage = options?.include_usage === true
  return {
    id: idPrefix + randomUUID().replaceAll('-', ''),
    created: Math.floor(systemClock.now() / 1000),
    model,
    stream,
    includeUsage,
    hasRunningUsage:
      engine.runningUsage === 'timings'
        ? body.timings_per_token === true
        : includeUsage && options?.continuous_usage_stats === true,
    logprobs: wantsLogprobs(body, engine),
  }
}

function wantsLogprobs({ logprobs, top_logprobs }: JsonObject, { logprobsNeedTop }: EngineTraits): boolean {
  if (logprobsNeedTop && (logprobs === 0 || top_logprobs === 0)) return false
  return logprobs === true || typeof logprobs === 'number'
}

export function findModel(body: JsonObject, { settings, engine }: Simulation): ModelSettings {
  const found = settings.models.find(model => model.id === body.model)
  if (found !== undefined) return found
  if (!engine.checksModel) return settings.models[0]!
  if (typeof body.model !== 'string') throw badRequest('model must be a string', 'model')
  throw new Refusal(404, `The model \`${body.model}\` does not exist.`, { param: 'model' })
}

/** The part of the prefix cache that a request uses. */
export function saltOf({ cache_salt: salt }: JsonObject, { cacheSalt }: EngineTraits): string {
  return cacheSalt ? String(salt ?? '') : ''
}

export function readDirectives(text: string): Directives {
  try {
    return parseDirectives(text)
  } catch (error) {
    if (error instanceof DirectiveError) throw badRequest(error.message)
    throw error
  }
}

/** A whole number of at least `min`; undefined if the member is missing or null. Throws a Refusal. */
export function wholeNumber(body: JsonObject, name: string, min: number): number | undefined {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= min) return value
  throw badRequest(`${name} must be a whole number of at least ${min}.`, name)
}

export function stopStrings(stop: Json | undefined): readonly string[] {
  if (typeof stop === 'string') return stop === '' ? [] : [stop]
  return Array.isArray(stop) ? stop.filter(text => typeof text === 'string' && text !== '').map(String) : []
}

const RANGES: readonly (readonly [name: string, min: number, max: number])[] = [
  ['temperature', 0, Number.POSITIVE_INFINITY],
  ['top_p', 0, 1],
  ['presence_penalty', -2, 2],
  ['frequency_penalty', -2, 2],
]

export function checkSampling(body: JsonObject): void {
  for (const [name, min, max] of RANGES) {
    const value = body[name]
    if (value === undefined || value === null) continue
    if (typeof value !== 'number' || value < min || value > max) {
      throw badRequest(`${name} must be a number from ${min} to ${max}, got ${JSON.stringify(value)}.`, name)
    }
  }
}
