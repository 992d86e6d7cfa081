import type { Json, JsonObject } from '../lib/base/json.ts'
import { contentOf, limitsOf } from './content.ts'
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
import type { PromptCount } from './prefix-cache.ts'
import { seededRandom } from './random.ts'
import { badRequest } from './refusal.ts'
import { Sampler } from './sampler.ts'
import { type Script, writeScript } from './script.ts'
import { hashText, textOfIds } from './tokens.ts'

const MAX_CHOICES = 1024
const DEFAULT_MAX_TOKENS = 16

interface TextPrompt {
  readonly text: string
  /** Number of token ids, if the prompt consists of those. */
  readonly ids: number | undefined
}

/** Plans the reply to a body of POST /v1/completions. Throws a Refusal. */
export async function planText(body: JsonObject, simulation: Simulation): Promise<Plan> {
  const { settings, engine } = simulation
  const model = findModel(body, simulation)
  const common = planOf(body, model.id, engine.idPrefix.text, engine)
  const prompts = readPrompts(body.prompt)
  const directives = readDirectives(prompts[0]!.text)
  checkSampling(body)
  const refused = engine.refusalOf(body, 'text')
  if (refused !== undefined) throw refused
  const n = wholeNumber(body, 'n', 1) ?? 1
  if (n * prompts.length > MAX_CHOICES) throw badRequest(`More than ${MAX_CHOICES} choices.`, 'n')
  const maxTokens = wholeNumber(body, 'max_tokens', 1) ?? DEFAULT_MAX_TOKENS

  const sampler = new Sampler()
  const scripts: Script[] = []
  const counts: PromptCount[] = []
  for (const prompt of prompts) {
    const count = countPrompt(prompt, body, simulation)
    const refusal = engine.checkContext(count.tokens, maxTokens, model.max_model_len)
    if (refusal !== undefined) throw refusal
    counts.push(count)
    const limit = Math.min(maxTokens, model.max_model_len - count.tokens)
    const seed = hashText(prompt.text, hashText(String(body.seed ?? ''), settings.seed + 1))
    for (let choice = 0; choice < n; choice++) {
      const random = seededRandom(seed + choice)
      const fixed = { body, route: 'text', beginning: '', directives, simulation, sampler } as const
      const content = await contentOf({ ...fixed, maxTokens: limit, random })
      scripts.push(writeScript(content, directives.finish ?? 'stop', limitsOf(body, limit, engine)))
    }
  }
  const echo =
    body.echo === true && engine.echo ? prompts.flatMap(({ text }) => Array.from({ length: n }, () => text)) : undefined
  return { ...common, prompt: sumOf(counts), prompts: counts, scripts, echo, directives }
}

function sumOf(counts: readonly PromptCount[]): PromptCount {
  const add = (name: keyof PromptCount) => counts.reduce((sum, count) => sum + count[name], 0)
  return { tokens: add('tokens'), cached: add('cached') }
}

function countPrompt(prompt: TextPrompt, body: JsonObject, { cache, engine }: Simulation): PromptCount {
  const count = cache.take(prompt.text, saltOf(body, engine))
  return prompt.ids === undefined ? count : { tokens: prompt.ids, cached: Math.min(count.cached, prompt.ids) }
}

function readPrompts(prompt: Json | undefined): TextPrompt[] {
  if (typeof prompt === 'string') return [{ text: prompt, ids: undefined }]
  if (!Array.isArray(prompt) || prompt.length === 0)
    throw badRequest('Either prompt or prompt_embeds must be provided.', 'prompt')
  if (isIds(prompt)) return [{ text: textOfIds(prompt), ids: prompt.length }]
  return prompt.map(item => {
    if (typeof item === 'string') return { text: item, ids: undefined }
    if (Array.isArray(item) && isIds(item)) return { text: textOfIds(item), ids: item.length }
    throw badRequest('prompt must be a string, a list of strings, or token ids', 'prompt')
  })
}

function isIds(items: readonly Json[]): items is number[] {
  return items.length > 0 && items.every(item => typeof item === 'number' && Number.isInteger(item) && item >= 0)
}
