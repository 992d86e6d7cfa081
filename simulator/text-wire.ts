import type { Json, JsonObject } from '../lib/base/json.ts'
import type { EngineTraits } from './engine-traits.ts'
import type { Plan } from './plan.ts'
import type { Cursor, Script } from './script.ts'
import { splitTokens } from './tokens.ts'
import { chatLogprobs, dataFrame, ending, PlannedWire, runningUsage, textLogprobs, type Wire } from './wire.ts'

/** Writes text completions. */
export class TextWire extends PlannedWire implements Wire {
  /** The text up to the value of `text`, per choice. */
  readonly #heads: readonly string[]

  constructor(plan: Plan, engine: EngineTraits, reportCached: boolean) {
    super(plan, engine, reportCached)
    this.#heads = this.heads(this.envelope('text_completion'), 'text')
  }

  open(choice: number): string {
    const isBatch = this.plan.prompts.length > 1
    if (choice === 0 && isBatch && this.engine.batchBeginsWithNull) return 'data: null\n\n'
    const before = this.plan.echo?.[choice]
    return before === undefined ? '' : this.#frame(choice, before, 'null', this.tails.open, this.#running(0, choice))
  }

  token(choice: number, cursor: Cursor): string {
    const { text, script } = cursor
    const isLast = cursor.isDone && this.sharesLast(script)
    const tail = isLast ? this.tails.closed[choice]! : this.tails.open
    const logprobs = this.plan.logprobs ? JSON.stringify(this.#logprobs([text])) : 'null'
    return this.#frame(choice, text, logprobs, tail, this.#running(cursor.count, choice))
  }

  close(choice: number, cursor: Cursor): string {
    if (cursor.count > 0 && this.sharesLast(cursor.script)) return ''
    const usage = this.engine.textUsageOnLastChunk ? this.#final(choice) : this.#running(cursor.count, choice)
    return this.#frame(choice, '', 'null', this.tails.closed[choice]!, usage)
  }

  end(): string {
    if (!this.plan.includeUsage || this.engine.textUsageOnLastChunk) return ''
    const usage = this.finalUsage()
    return usage === undefined ? '' : dataFrame({ ...this.envelope('text_completion'), choices: [], usage })
  }

  whole(): JsonObject {
    const usage = this.finalUsage()
    return {
      ...this.envelope('text_completion'),
      choices: this.plan.scripts.map((script, index) => this.#choice(script, index)),
      ...(usage === undefined ? {} : { usage }),
    }
  }

  #frame(choice: number, text: string, logprobs: string, tail: string, usage: string): string {
    return `${this.#heads[choice]}${JSON.stringify(text)},"logprobs":${logprobs},${tail}${usage}}\n\n`
  }

  #running(completion: number, choice: number): string {
    return runningUsage(this.plan, this.engine, completion, choice)
  }

  #final(choice: number): string {
    const usage = this.finalUsage(choice)
    return usage === undefined ? '' : `,"usage":${JSON.stringify(usage)}`
  }

  #logprobs(tokens: readonly string[]): Json {
    return this.engine.textLogprobsAsChat ? chatLogprobs(tokens) : textLogprobs(tokens)
  }

  #choice(script: Script, index: number): JsonObject {
    const text = script.segments.map(segment => segment.text).join('')
    const logprobs = this.plan.logprobs ? this.#logprobs(splitTokens(text)) : null
    return { index, text: (this.plan.echo?.[index] ?? '') + text, logprobs, ...ending(script, this.engine) }
  }
}
