import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../lib/base/json.ts'
import { compose, echoOf } from './answer.ts'
import { constraintOf } from './constraint.ts'
import { contentOf, limitsOf } from './content.ts'
import { type Directives, withoutDirectives } from './directives.ts'
import {
  checkSampling,
  findModel,
  type Plan,
  planOf,
  readDirectives,
  type Simulation,
  saltOf,
  wholeNumber,
} from './plan.ts'
import { effortOf, IMAGE_TOKENS, renderChat, requestedThinking } from './prompt.ts'
import { type Random, seededRandom } from './random.ts'
import { badRequest, invalidMember } from './refusal.ts'
import { Sampler } from './sampler.ts'
import { type Script, type Segment, writeScript } from './script.ts'
import { countTokens, hashText } from './tokens.ts'
import { chooseCalls, isFreeToCall, isNamedChoice, type SimulatedCall } from './tool-calls.ts'

const MAX_CHOICES = 128

const REASONING_TOKENS: Readonly<Record<string, number>> = {
  minimal: 8,
  low: 16,
  medium: 32,
  high: 64,
  xhigh: 96,
  max: 128,
}

/** Plans the reply to a body of POST /v1/chat/completions. Throws a Refusal. */
export async function planChat(body: JsonObject, simulation: Simulation): Promise<Plan> {
  const { settings, engine } = simulation
  const model = findModel(body, simulation)
  const common = planOf(body, model.id, engine.idPrefix.chat, engine)
  const prompt = renderChat(body, model.vision, settings, engine)
  const directives = readDirectives(prompt.question)
  checkSampling(body)
  const refused = engine.refusalOf(body, 'chat')
  if (refused !== undefined) throw refused
  const n = wholeNumber(body, 'n', 1) ?? 1
  if (n > MAX_CHOICES) throw badRequest(`n must be at most ${MAX_CHOICES}.`, 'n')
  const effort = effortOf(body)
  if (effort !== undefined && engine.efforts !== null && !engine.efforts.includes(effort)) {
    const known = engine.efforts.map(name => `"${name}"`).join(', ')
    throw invalidMember('reasoning_effort', 'literal_error', `Input should be ${known}`)
  }
  const asked = wholeNumber(body, 'max_completion_tokens', 1) ?? wholeNumber(body, 'max_tokens', 1)

  const counted = simulation.cache.take(prompt.text, saltOf(body, engine))
  const imageTokens = prompt.images * IMAGE_TOKENS
  const promptCount = { ...counted, tokens: counted.tokens + imageTokens }
  const refusal = engine.checkContext(promptCount.tokens, asked, model.max_model_len, imageTokens)
  if (refusal !== undefined) throw refusal

  const remaining = model.max_model_len - promptCount.tokens
  const maxTokens = Math.min(asked ?? remaining, remaining)
  const isReasoned = model.reasoning === 'always' || (model.reasoning && isReasoning(body, directives, simulation))
  const seed = hashText(prompt.text, hashText(String(body.seed ?? ''), settings.seed + 1))
  const beginning = echoOf(withoutDirectives(prompt.question))
  const sampler = new Sampler()
  const scripts: Script[] = []
  for (let choice = 0; choice < n; choice++) {
    const random = seededRandom(seed + choice)
    const thoughts = isReasoned ? think(body, directives, random) : []
    // If the model may choose, a constraint applies to the whole answer, which then contains no calls.
    const isBound = isFreeToCall(body) && constraintOf(body, engine, 'chat') !== undefined
    const calls = isBound ? [] : await chooseCalls(body, prompt, directives, engine, sampler, random)
    const spoken =
      calls.length > 0
        ? callSegments(calls, directives, engine.idPrefix.tool)
        : await contentOf({ body, route: 'chat', beginning, directives, maxTokens, simulation, random, sampler })
    const called = isNamedChoice(body, engine) ? engine.namedToolFinish : 'tool_calls'
    const finish = directives.finish ?? (calls.length > 0 ? called : 'stop')
    scripts.push(writeScript([...thoughts, ...spoken], finish, limitsOf(body, maxTokens, engine)))
  }
  return { ...common, prompt: promptCount, prompts: [promptCount], scripts, echo: undefined, directives }
}

/** Prompt tokens of a chat body, as in `usage`. Throws a Refusal. */
export function countChat(body: JsonObject, simulation: Simulation): { text: string; tokens: number } {
  const model = findModel(body, simulation)
  const prompt = renderChat(body, model.vision, simulation.settings, simulation.engine)
  return { text: prompt.text, tokens: countTokens(prompt.text) + prompt.images * IMAGE_TOKENS }
}

function isReasoning(body: JsonObject, directives: Directives, { settings }: Simulation): boolean {
  if (directives.reasoning !== undefined) return directives.reasoning > 0
  return requestedThinking(body, settings) ?? settings.reasoningByDefault
}

function think(body: JsonObject, directives: Directives, random: Random): Segment[] {
  const budget = wholeNumber(body, 'thinking_token_budget', 0) ?? Number.POSITIVE_INFINITY
  const length = directives.reasoning ?? REASONING_TOKENS[effortOf(body) ?? 'medium'] ?? 32
  const kind = body.include_reasoning === false ? 'hidden' : 'reasoning'
  return compose('The question first.', Math.min(length, budget), random).map(text => ({ kind, text }))
}

function callSegments(calls: readonly SimulatedCall[], directives: Directives, idPrefix: string): Segment[] {
  const segments: Segment[] = calls.map(({ name, arguments: text }, index) => ({
    kind: 'tool',
    text,
    call: { index, id: idPrefix + randomUUID().replaceAll('-', ''), name },
  }))
  return directives.say === undefined ? segments : [{ kind: 'content', text: directives.say }, ...segments]
}
