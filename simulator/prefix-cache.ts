import { hashText, tokenEnd } from './tokens.ts'

/** Tokens per block. Only complete blocks are cached, as in vLLM. */
export const BLOCK_TOKENS = 16

export interface PromptCount {
  readonly tokens: number
  /** Tokens at the start of the prompt that were cached. */
  readonly cached: number
}

/**
 * A simulated prefix cache. It stores chains of block hashes and no text. Blocks are in two generations. When the
 * younger generation is full, it becomes the older one, and the unused blocks of the older one are evicted.
 */
export class PrefixCache {
  readonly #generation: number
  #young = new Set<number>()
  #old = new Set<number>()

  /** `capacity`: maximum number of blocks. */
  constructor(capacity: number) {
    this.#generation = Math.ceil(capacity / 2)
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  /** Counts the tokens of a prompt and those cached under the same salt, and adds the prompt to the cache. */
  take(prompt: string, salt: string): PromptCount {
    let high = hashText(salt)
    let low = hashText(salt, 0x1b873593)
    let tokens = 0
    let cached = 0
    let isPrefix = true
    for (let at = 0; at < prompt.length; ) {
      const end = tokenEnd(prompt, at)
      for (; at < end; at++) {
        const code = prompt.charCodeAt(at)
        high = Math.imul(high ^ code, 0x01000193)
        low = Math.imul(low ^ code, 0x85ebca6b)
      }
      if (++tokens % BLOCK_TOKENS !== 0) continue
      // 53 bits of both hashes fit exactly into one number.
      const isKnown = this.#touch((high >>> 0) * 0x200000 + (low >>> 11))
      // The last token is always computed, so a block at the end of the prompt does not count as cached.
      if (isKnown && isPrefix && at < prompt.length) cached = tokens
      else isPrefix = false
    }
    return { tokens, cached }
  }

  #touch(block: number): boolean {
    if (this.#generation === 0) return false
    const isKnown = this.#old.delete(block) || this.#young.has(block)
    this.#young.add(block)
    if (this.#young.size >= this.#generation) {
      this.#old = this.#young
      this.#young = new Set()
    }
    return isKnown
  }
}
