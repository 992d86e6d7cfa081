/** Checks how the server treats prompts: unusual messages, cached ones, too long ones, and images. */
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../base/json.ts'
import { type BackendProfile, type Engine, PROFILES } from '../../config/profile.ts'
import { inlinedReasoning } from '../encode/messages.ts'
import { chat, type ProbeSession, QUESTION, user } from './client.ts'
import { at, errorMessage, isOk, promptTokens } from './reply.ts'

interface MessageFindings {
  readonly system_inline: boolean
  readonly developer_role: boolean
  /** The chat template keeps the reasoning of earlier assistant messages. Many remove it. */
  readonly preserve_thinking: boolean
}

/** Long enough to increase the number of prompt tokens clearly, unless the chat template ignores it. */
const LONG_TEXT = 'The harbour master keeps a list of every ship that passes the gate by day and by night. '.repeat(2)
const LONG_TEXT_TOKENS = 20

const ANSWER = { role: 'assistant', content: 'Hello.' }

/** Checks how the chat template treats messages that not every template supports. */
export async function probeMessages(session: ProbeSession, canReason: boolean): Promise<MessageFindings> {
  const plain = [user(QUESTION), ANSWER, user(QUESTION)]
  if (promptTokens(await chat(session, { messages: plain })) === undefined) {
    session.note('Does not count prompt tokens, so it is unknown how its chat template treats unusual messages.')
    const { system_inline, developer_role } = PROFILES[session.engine]
    return { system_inline, developer_role, preserve_thinking: false }
  }
  const system = { role: 'system', content: LONG_TEXT }
  const system_inline = await isUsed(session, plain, [user(QUESTION), ANSWER, system, user(QUESTION)])
  const developer = { role: 'developer', content: LONG_TEXT }
  const developer_role = await isUsed(session, [user(QUESTION)], [developer, user(QUESTION)])
  const thoughtful = { ...ANSWER, content: inlinedReasoning(LONG_TEXT) + ANSWER.content }
  const preserve_thinking = canReason && (await isUsed(session, plain, [user(QUESTION), thoughtful, user(QUESTION)]))
  return { system_inline, developer_role, preserve_thinking }
}

/** Whether the server accepts the longer conversation and counts more prompt tokens for it. */
async function isUsed(session: ProbeSession, short: JsonObject[], long: JsonObject[]): Promise<boolean> {
  const before = promptTokens(await chat(session, { messages: short }))
  const after = promptTokens(await chat(session, { messages: long }))
  return before !== undefined && after !== undefined && after - before >= LONG_TEXT_TOKENS
}

/** Limit of the context window, in tokens, that is exceeded to read the refusal of the server. */
const MAX_WINDOW = 1_048_576

const CACHE_HINTS: Readonly<Record<Engine, string>> = {
  vllm: ' Start vLLM with --enable-prompt-tokens-details.',
  sglang: ' Start SGLang with --enable-cache-report.',
  'llama.cpp': '',
  openai: '',
}

type CacheFindings = Pick<BackendProfile, 'cached_null_means_zero' | 'cache_salt'>

/** Sends a random prompt twice: is 0 cached reported as null? And once more with a salt: is the cache isolated? */
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
  // The effect of a salt shows in cached tokens only.
  if (typeof second === 'number' && second > 0)
    cache_salt = Number((await cached({ cache_salt: randomUUID() })) ?? 0) < second
  return { cached_null_means_zero: typeof first !== 'number' && typeof second === 'number', cache_salt }
}

/** The engine's patterns of context refusals, and one more if the refusal of this server matches none of them. */
export async function probeContext(
  session: ProbeSession,
  window: number | undefined,
): Promise<BackendProfile['context_patterns']> {
  const known = PROFILES[session.engine].context_patterns
  if (window === undefined || window > MAX_WINDOW) {
    session.note('The refusal of a prompt that is too long was not tested: the context window is unknown or huge.')
    return known
  }
  const reply = await chat(session, { messages: [user('a '.repeat(window + 64))] })
  if (isOk(reply)) {
    session.note('Accepts a prompt that is longer than its context window, and drops the beginning without an error.')
    return known
  }
  const message = errorMessage(reply)
  const text = `${message} ${JSON.stringify(reply.body ?? '')}`.toLowerCase()
  if (reply.status !== 400 || known.some(pattern => text.includes(pattern))) return known
  const pattern = wordsBetweenNumbers(message)
  return pattern === undefined ? known : [...known, pattern]
}

/** The longest part of a message without numbers and quotes: it is the same in every refusal. */
function wordsBetweenNumbers(message: string): string | undefined {
  const stretches = message.split(/[\d'"`]+/).map(part => part.trim().toLowerCase())
  const longest = stretches.reduce((best, part) => (part.length > best.length ? part : best), '')
  return longest.length >= 12 ? longest : undefined
}

/** A grey square of 32 by 32 pixels. */
const IMAGE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAAAAABWESUoAAAAFklEQVR42mNoIAAYRhWMKhhVMFIVAABCAAAfN5c2AAAAAABJRU5ErkJggg=='

/** Checks whether images are read. An image that is accepted but costs no tokens has been ignored. */
export async function probeVision(session: ProbeSession): Promise<boolean> {
  const text = { type: 'text', text: QUESTION }
  const seen = await chat(session, { messages: [user([text, { type: 'image_url', image_url: { url: IMAGE } }])] })
  if (!isOk(seen)) return false
  const blind = promptTokens(await chat(session, { messages: [user([text])] }))
  const counted = promptTokens(seen)
  return blind === undefined || counted === undefined || counted > blind
}
