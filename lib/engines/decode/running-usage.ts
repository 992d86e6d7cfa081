import type { Usage } from '../../canonical/reply.ts'

/**
 * The usage so far of a reply with several choices: the sum over the choices. A chunk of vLLM and SGLang has the usage
 * of its own choice only.
 */
export class RunningUsage {
  readonly #choicesPerPrompt: number
  readonly #last = new Map<number, Usage>()
  /** The last usage of each prompt. All choices of a prompt share its tokens. */
  readonly #prompts = new Map<number, Usage>()
  #promptTokens = 0
  #completionTokens = 0
  #cached = new Sum()
  #reasoning = new Sum()

  constructor(choicesPerPrompt: number) {
    this.#choicesPerPrompt = choicesPerPrompt
  }

  /** The last usage of a choice. */
  of(choice: number): Usage | undefined {
    return this.#last.get(choice)
  }

  /** Replaces the usage of one choice. Returns the usage of all choices. */
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

/** A sum that is null while one of its terms is null. */
class Sum {
  #known = 0
  #unknown = 0

  get value(): number | null {
    return this.#unknown > 0 ? null : this.#known
  }

  /** Replaces the term `before` by `now`; undefined: adds `now`. */
  replace(before: number | null | undefined, now: number | null): void {
    this.#count(before, -1)
    this.#count(now, 1)
  }

  #count(term: number | null | undefined, sign: 1 | -1): void {
    if (term === null) this.#unknown += sign
    else if (term !== undefined) this.#known += sign * term
  }
}
