/** Reads how a request exceeds the context window from the refusal of a backend. */
import type { ModelConfig } from '../../config/config.ts'
import type { Overflow } from '../context-window.ts'
import type { BackendError } from '../decode/error.ts'

/** Wordings of vLLM, SGLang, llama.cpp and OpenAI. The patterns take linear time and get at most 2,000 characters. */
const LIMIT = [
  /(?:context length|context size|context window)[^\d.]{0,20}(\d{1,9})/,
  /(?:max_model_len|max_total_tokens)=(\d{1,9})/,
  /maximum model length of (\d{1,9})/,
  /maximum allowed length \((\d{1,9})/,
  /supports at most (\d{1,9})/,
  /current batch size: (\d{1,9})/,
  /=> \d{1,9} >= (\d{1,9})/,
]
const PROMPT = [
  /request has (\d{1,9}) input tokens/,
  /prompt contains (\d{1,9}) input tokens/,
  /passed (\d{1,9}) input tokens/,
  /(\d{1,9}) tokens from the input/,
  /(?:input|request) \((\d{1,9}) tokens\)/,
  /input length \((\d{1,9})(?: tokens)?\)/,
  /prompt \(length (\d{1,9})\)/,
  /=> (\d{1,9}) >= \d/,
  /(\d{1,9}) in the messages/,
  /resulted in (\d{1,9}) tokens/,
]
const PROMPT_AT_LEAST = [/prompt contains at least (\d{1,9}) input tokens/]
/** vLLM compares the characters of a long text first. The prompt then has more tokens than this number. */
const PROMPT_MORE_THAN = [/upper bound for (\d{1,9}) input tokens/]
const MAX_TOKENS = [
  /too large: (\d{1,9})/,
  /requested (\d{1,9}) output tokens/,
  /(\d{1,9}) tokens for the completion/,
  /(\d{1,9}) in the completion/,
  /max_(?:completion_)?tokens=(\d{1,9})/,
]

/** Reads the numbers in a backend's refusal, and whether the prompt or max_tokens is too large. */
export function overflowOf(error: BackendError, model: ModelConfig): Overflow {
  const message = error.message.toLowerCase()
  const reported = error.contextLimit ?? numberIn(message, LIMIT)
  const card = model.max_model_len
  const limit = reported === undefined || card === undefined ? (reported ?? card) : Math.min(reported, card)
  const maxTokens = numberIn(message, MAX_TOKENS)
  const prompt = promptOf(error.promptTokens, message, reported, maxTokens)
  const { promptTokens = 0 } = prompt
  // If the prompt alone fills the window, max_tokens does not matter.
  if (!maxTokens || limit === undefined || promptTokens >= limit) return { limit, ...prompt }
  const isMaxTokens = maxTokens > limit || (promptTokens > 0 && prompt.atLeast !== true)
  return { limit, ...prompt, maxTokens, ...(isMaxTokens && { param: 'max_tokens' }) }
}

/** vLLM counts at most one token more than max_tokens leaves of the window: a lower bound, which newer versions say. */
function promptOf(
  exact: number | undefined,
  message: string,
  limit: number | undefined,
  maxTokens: number | undefined,
): Pick<Overflow, 'promptTokens' | 'atLeast'> {
  if (exact !== undefined) return { promptTokens: exact }
  const counted = numberIn(message, PROMPT)
  const moreThan = numberIn(message, PROMPT_MORE_THAN)
  const least = numberIn(message, PROMPT_AT_LEAST) ?? (moreThan === undefined ? undefined : moreThan + 1)
  if (counted === undefined && least !== undefined) return { promptTokens: least, atLeast: true }
  const stopped = counted !== undefined && limit !== undefined && maxTokens && counted + maxTokens === limit + 1
  return { promptTokens: counted, ...(stopped && { atLeast: true }) }
}

/**
 * The max_tokens with which the backend accepts the same prompt. `rest`: only the backend knows the rest of the window,
 * and uses it if max_tokens is not sent. undefined: the prompt alone does not fit.
 */
export function fittingMaxTokensOf({ limit, promptTokens, atLeast, maxTokens }: Overflow): number | 'rest' | undefined {
  if (limit === undefined || (promptTokens ?? 0) >= limit) return undefined
  if (promptTokens !== undefined && atLeast !== true) return limit - promptTokens
  return maxTokens === undefined ? undefined : 'rest'
}

function numberIn(text: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const digits = pattern.exec(text)?.[1]
    if (digits !== undefined) return Number(digits)
  }
  return undefined
}
