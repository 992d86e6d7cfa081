import type { JsonObject } from '../lib/base/json.ts'
import { compose } from './answer.ts'
import { constraintOf, satisfy } from './constraint.ts'
import type { Directives } from './directives.ts'
import type { EngineTraits } from './engine-traits.ts'
import { type Simulation, stopStrings, wholeNumber } from './plan.ts'
import type { Random } from './random.ts'
import type { Sampler } from './sampler.ts'
import type { ScriptLimits, Segment } from './script.ts'

/** Everything that determines the text of one choice. */
interface ContentOptions {
  readonly body: JsonObject
  readonly route: 'chat' | 'text'
  /** The beginning of the answer, unless the body or a directive determines the text. */
  readonly beginning: string
  readonly directives: Directives
  readonly maxTokens: number
  readonly simulation: Simulation
  readonly random: Random
  readonly sampler: Sampler
}

/** The text of an answer: that of a constraint or directive, otherwise sentences. Throws a Refusal. */
export async function contentOf({
  body,
  route,
  beginning,
  directives,
  maxTokens,
  simulation,
  random,
  sampler,
}: ContentOptions): Promise<Segment[]> {
  const { settings, engine } = simulation
  const constraint = constraintOf(body, engine, route)
  if (constraint !== undefined) return [{ kind: 'content', text: await satisfy(constraint, sampler, random) }]
  if (directives.say !== undefined) return [{ kind: 'content', text: directives.say }]
  const min = body.ignore_eos === true ? maxTokens : (wholeNumber(body, 'min_tokens', 0) ?? 0)
  const length = Math.max(directives.tokens ?? settings.answerTokens, min)
  // One token above the limit, so that the finish reason is `length`.
  const parts = compose(beginning, Math.min(length, maxTokens + 1), random)
  // A stop string may span two parts.
  const texts = stopStrings(body.stop).length > 0 ? [parts.join('')] : parts
  return texts.map(text => ({ kind: 'content', text }))
}

export function limitsOf(body: JsonObject, maxTokens: number, engine: EngineTraits): ScriptLimits {
  return {
    maxTokens,
    stop: stopStrings(body.stop),
    keepStop: body.include_stop_str_in_output === true,
    argumentPieces: engine.argumentPieces,
  }
}
