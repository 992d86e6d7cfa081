import { nextTurn } from '../../../lib/plugin.ts'
import type { Prompt } from './prompt.ts'

type CountTokens = (text: string) => number

/** Tokens that a chat template adds to a message or a tool. */
const TOKENS_PER_PIECE = 4

/**
 * Characters that are tokenized at once. A tokenizer takes quadratic time for text without blanks: a minute for 100,000
 * Chinese characters in one piece, and a sixth of a second in slices of this size.
 */
const SLICE = 512

/** Slices that are tokenized before other exchanges run: about two milliseconds of prose. */
const SLICES_PER_TURN = 32

/** A longer prompt is estimated from an evenly spread sample of this many characters. */
const MAX_CHARACTERS = 128 * 1024

/**
 * Estimates tokens by the vocabulary o200k, which fits scripts other than Latin best. The result differs from a model's
 * own vocabulary by some tens of percent.
 */
export async function estimateTokens({ texts, pieces }: Prompt): Promise<number> {
  const tokens = await sampledTokens(texts, await loadTokenizer())
  return Math.ceil(tokens + pieces * TOKENS_PER_PIECE)
}

async function sampledTokens(texts: readonly string[], countTokens: CountTokens): Promise<number> {
  const total = texts.reduce((sum, { length }) => sum + length, 0)
  const step = Math.max(1, Math.ceil(total / MAX_CHARACTERS))
  let seen = 0
  let tokens = 0
  let slices = 0
  for (const text of texts) {
    for (let at = 0; at < text.length; at += SLICE) {
      if (slices++ % step > 0) continue
      const slice = text.slice(at, at + SLICE)
      seen += slice.length
      tokens += countTokens(slice)
      if (slices % SLICES_PER_TURN === 0) await nextTurn()
    }
  }
  return seen === 0 ? 0 : (tokens * total) / seen
}

/** Loaded with the first estimate, because it takes 130 ms and 65 MB that most gateways never need. */
async function loadTokenizer(): Promise<CountTokens> {
  const { countTokens, setMergeCacheSize } = await import('gpt-tokenizer/encoding/o200k_base')
  // The cache would keep pieces of prompts in memory.
  setMergeCacheSize(0)
  // Text that looks like a special token is ordinary text.
  const options = { disallowedSpecial: new Set<string>() }
  return text => countTokens(text, options)
}
