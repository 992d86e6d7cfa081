import type { Usage } from '../../canonical/reply.ts'

/**
 * The usage of a reply with several choices while they are generated. In a chunk of a choice, vLLM and SGLang count that
 * choice alone: its own tokens, and those of its prompt. The sum of the last values is the usage of the reply so far.
 */
export class RunningUsage {
  readonly #choicesPerPrompt: number
  readonly #last = new Map<number, Usage>()
  /** The last usage of each prompt, whose tokens its choices share. */
  readonly #prompts = new Map<number, Usage>()
  #promptTokens = 0
  #completionTokens = 0
  #cached = new Sum()
  #reasoning = new Sum()

  constructor(choicesPerPrompt: number) {
    this.#choicesPerPrompt = choicesPerPrompt
  }

  /** The last usage of a choice; a later one may leave out its details. */
  of(choice: number): Usage | undefined {
    return this.#last.get(choice)
  }

  /** Takes the usage of one choice, which replaces its earlier one. Returns that of all choices. */
  add(choice: number, usage: Usage): Usage {
    const before = this.#last.get(choice)
    this.#last.set(choice, usage)
    this.#completionTokens += usage.completionTokens - (before?.completionTokens ?? 0)
    this.#reasoning.replace(before?.reasoningTokens, usage.reasoningTokens)
    const prompt = Math.floor(choice / this.#choicesPerPrompt)
    const shared = this.#prompts.get(prompt)
    this.#prompts.set(prompt, usage)
    this.#promptTokens += usage.promptTokens - (shared?.promptTokens ?? 0)
    this.#cached.replace(shared?.cachedTokens, usage.cachedTokens)
    return {
      promptTokens: this.#promptTokens,
      completionTokens: this.#completionTokens,
      cachedTokens: this.#cached.value,
      reasoningTokens: this.#reasoning.value,
    }
  }
}

/** A sum that is unknown while one of its parts is. */
class Sum {
  #known = 0
  #unknown = 0

  get value(): number | null {
    return this.#unknown > 0 ? null : this.#known
  }

  /** `before`: undefined where the part is new. */
  replace(before: number | null | undefined, now: number | null): void {
    this.#count(before, -1)
    this.#count(now, 1)
  }

  #count(part: number | null | undefined, sign: 1 | -1): void {
    if (part === null) this.#unknown += sign
    else if (part !== undefined) this.#known += sign * part
  }
}
