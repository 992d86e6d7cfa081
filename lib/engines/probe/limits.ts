import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../base/json.ts'
import { type BackendProfile, type Engine, PROFILES } from '../../config/profile.ts'
import { at, errorMessage, isOk, promptTokens } from './reply.ts'
import { chat, type ProbeSession, QUESTION, user } from './session.ts'

/** Largest context window, in tokens, that is filled to see how the server refuses. */
const MAX_WINDOW = 1_048_576

const CACHE_HINTS: Readonly<Record<Engine, string>> = {
  vllm: ' Start vLLM with --enable-prompt-tokens-details.',
  sglang: ' Start SGLang with --enable-cache-report.',
  'llama.cpp': '',
  openai: '',
}

type CacheFindings = Pick<BackendProfile, 'cached_null_means_zero' | 'cache_salt'>

/**
 * Whether the server reports null instead of 0 cached tokens, and whether a salt keeps prompts apart. Sends a random
 * prompt twice, and once more with a salt.
 */
export async function probeCache(session: ProbeSession): Promise<CacheFindings> {
  const messages = [user(`${randomUUID()} ${'Count the ships that pass the gate. '.repeat(20)}`)]
  const cached = async (more: JsonObject = {}) =>
    at((await chat(session, { messages, ...more })).body, 'usage', 'prompt_tokens_details', 'cached_tokens')
  const first = await cached()
  const second = await cached()
  if (typeof first !== 'number' && typeof second !== 'number') {
    session.note(`Cached tokens are not reported, so they are billed like others.${CACHE_HINTS[session.engine]}`)
  }
  let { cache_salt } = PROFILES[session.engine]
  // Without cached tokens nothing shows what a salt does.
  if (typeof second === 'number' && second > 0)
    cache_salt = Number((await cached({ cache_salt: randomUUID() })) ?? 0) < second
  return { cached_null_means_zero: typeof first !== 'number' && typeof second === 'number', cache_salt }
}

/** The engine's patterns of context refusals, and one more where this server's refusal matches none of them. */
export async function probeContext(
  session: ProbeSession,
  window: number | undefined,
): Promise<BackendProfile['context_patterns']> {
  const known = PROFILES[session.engine].context_patterns
  if (window === undefined || window > MAX_WINDOW) {
    session.note('The refusal of a prompt that is too long was not looked at: the context window is unknown or huge.')
    return known
  }
  const reply = await chat(session, { messages: [user('a '.repeat(window + 64))] })
  if (isOk(reply)) {
    session.note('Accepts a prompt that is longer than its context window: the beginning is lost without a word.')
    return known
  }
  const message = errorMessage(reply)
  const text = `${message} ${JSON.stringify(reply.body ?? '')}`.toLowerCase()
  if (reply.status !== 400 || known.some(pattern => text.includes(pattern))) return known
  const pattern = wordsBetweenNumbers(message)
  return pattern === undefined ? known : [...known, pattern]
}

/** The longest part of a message without numbers and quotes, which will be the same the next time. */
function wordsBetweenNumbers(message: string): string | undefined {
  const stretches = message.split(/[\d'"`]+/).map(part => part.trim().toLowerCase())
  const longest = stretches.reduce((best, part) => (part.length > best.length ? part : best), '')
  return longest.length >= 12 ? longest : undefined
}

/** A grey square of 32 by 32 pixels. */
const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAAAAABWESUoAAAAFklEQVR42mNoIAAYRhWMKhhVMFIVAABCAAAfN5c2AAAAAABJRU5ErkJggg=='

/** Whether images are read: one that is accepted but costs no tokens has been ignored. */
export async function probeVision(session: ProbeSession): Promise<boolean> {
  const text = { type: 'text', text: QUESTION }
  const seen = await chat(session, { messages: [user([text, { type: 'image_url', image_url: { url: IMAGE } }])] })
  if (!isOk(seen)) return false
  const blind = promptTokens(await chat(session, { messages: [user([text])] }))
  const counted = promptTokens(seen)
  return blind === undefined || counted === undefined || counted > blind
}
