import { detachedBytes } from '../../../lib/body/detach.ts'
import type { DetachedTexts } from '../../../lib/body/texts.ts'
import type { CanonicalRequest, ChatRequest, Message } from '../../../lib/plugin.ts'

/** Most a request can be expected to use. */
export interface Estimate {
  readonly input: number
  readonly output: number
}

/** Real text has more bytes per token in every language; only random characters have fewer. */
const BYTES_PER_TOKEN = 3
/** Roles and marks that a chat template writes around a message or a tool. */
const TOKENS_PER_PIECE = 8
const TOKENS_PER_IMAGE = 2000

/**
 * `detached`: texts that travel beside the body. `context`: the model's window; undefined: not known. `assumed`: output where
 * nothing says how much there can be.
 */
export function estimate(
  request: CanonicalRequest,
  detached: DetachedTexts | null,
  context: number | undefined,
  assumed: number,
): Estimate {
  const { tokens, prompts } = inputOf(request, detached)
  const input = Math.min(tokens, context === undefined ? tokens : context * prompts)
  // The input is estimated high, so the room it leaves would come out low.
  const room = context === undefined ? undefined : Math.max(0, context - Math.floor(input / prompts / 2))
  const most = Math.min(request.maxTokens ?? Number.POSITIVE_INFINITY, room ?? Number.POSITIVE_INFINITY)
  const choices = request.kind === 'text' ? Math.max(request.n, request.bestOf ?? 1) : request.n
  return { input, output: (Number.isFinite(most) ? most : assumed) * choices * prompts }
}

/** `prompts`: a text completion may be a batch. */
function inputOf(
  request: CanonicalRequest,
  detached: DetachedTexts | null,
): { readonly tokens: number; readonly prompts: number } {
  if (request.kind === 'chat') return { tokens: chatTokens(request, detached), prompts: 1 }
  const { prompt } = request
  // A string, one list of token ids, or several of either.
  const prompts = typeof prompt === 'string' || typeof prompt[0] === 'number' ? [prompt] : prompt
  const ids = prompts.reduce((sum: number, one) => sum + (typeof one === 'string' ? 0 : (one as number[]).length), 0)
  const texts = prompts.filter(one => typeof one === 'string')
  return { tokens: ids + textTokens(texts, detached), prompts: Math.max(1, prompts.length) }
}

function chatTokens(request: ChatRequest, detached: DetachedTexts | null): number {
  const { messages, tools } = request
  const images = messages.reduce((sum, message) => sum + imagesOf(message), 0)
  const pieces = messages.length + tools.length
  return textTokens(chatTexts(request), detached) + pieces * TOKENS_PER_PIECE + images * TOKENS_PER_IMAGE
}

function imagesOf({ content }: Message): number {
  return Array.isArray(content) ? content.filter(({ type }) => type === 'image').length : 0
}

function* chatTexts({ messages, tools }: ChatRequest): Generator<string> {
  for (const message of messages) {
    const { content } = message
    if (typeof content === 'string') yield content
    else for (const part of content ?? []) if (part.type === 'text') yield part.text
    if (message.role === 'assistant') for (const call of message.toolCalls ?? []) yield call.arguments
  }
  for (const { description, parameters } of tools) yield JSON.stringify([description, parameters])
}

function textTokens(texts: Iterable<string>, detached: DetachedTexts | null): number {
  let bytes = 0
  for (const text of texts) bytes += Buffer.byteLength(text) + detachedBytes(text, detached)
  return Math.ceil(bytes / BYTES_PER_TOKEN)
}
