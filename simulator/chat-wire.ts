import type { JsonObject } from '../lib/base/json.ts'
import type { EngineTraits } from './engine-traits.ts'
import type { Plan } from './plan.ts'
import type { Cursor, Script, Segment } from './script.ts'
import { splitTokens } from './tokens.ts'
import { chatLogprobs, dataFrame, ending, PlannedWire, runningUsage, type Wire } from './wire.ts'

/** Writes chat completions. Serialises the constant parts of chunks once. */
export class ChatWire extends PlannedWire implements Wire {
  /** The text up to the value of `delta`, per choice. */
  readonly #heads: readonly string[]

  constructor(plan: Plan, engine: EngineTraits, reportCached: boolean) {
    super(plan, engine, reportCached)
    this.#heads = this.heads(this.envelope('chat.completion.chunk'), 'delta')
  }

  open(choice: number): string {
    return this.#frame(choice, this.engine.openingDelta, 'null', this.tails.open, 0)
  }

  token(choice: number, cursor: Cursor): string {
    const { segment, text, script } = cursor
    if (segment.kind === 'hidden') return ''
    const isLast = cursor.isDone && this.sharesLast(script)
    const tail = isLast ? this.tails.closed[choice]! : this.tails.open
    const logprobs = this.plan.logprobs && segment.kind === 'content' ? JSON.stringify(chatLogprobs([text])) : 'null'
    return this.#frame(choice, this.#delta(segment, text, cursor.isOpening), logprobs, tail, cursor.count)
  }

  close(choice: number, cursor: Cursor): string {
    if (cursor.count > 0 && this.sharesLast(cursor.script) && cursor.segment.kind !== 'hidden') return ''
    const counted = this.engine.runningUsage === 'usage' ? cursor.count : 0
    const frame = this.#frame(choice, this.engine.closingDelta, 'null', this.tails.closed[choice]!, counted)
    return this.engine.usageOfOneChoice && this.plan.includeUsage ? frame + this.#usage(choice) : frame
  }

  end(): string {
    if (!this.plan.includeUsage || this.engine.usageOfOneChoice) return ''
    const { extraChunk } = this.engine
    const extra =
      extraChunk === undefined
        ? ''
        : dataFrame({ ...this.envelope('chat.completion.chunk'), choices: [], ...extraChunk })
    return extra + this.#usage(0)
  }

  whole(): JsonObject {
    const usage = this.finalUsage()
    return {
      ...this.envelope('chat.completion'),
      choices: this.plan.scripts.map((script, index) => this.#choice(script, index)),
      ...(usage === undefined ? {} : { usage }),
      ...this.engine.replyExtras,
    }
  }

  #usage(choice: number): string {
    const usage = this.finalUsage(choice)
    return usage === undefined ? '' : dataFrame({ ...this.envelope('chat.completion.chunk'), choices: [], usage })
  }

  #frame(choice: number, delta: string, logprobs: string, tail: string, completion: number): string {
    const logprobsMember = logprobs === 'null' && this.engine.sparse ? '' : `"logprobs":${logprobs},`
    return `${this.#heads[choice]}${delta},${logprobsMember}${tail}${runningUsage(this.plan, this.engine, completion)}}\n\n`
  }

  #delta({ kind, call }: Segment, text: string, isOpening: boolean): string {
    if (call !== undefined) {
      return this.engine.delta(
        'tool_calls',
        JSON.stringify([this.engine.toolDelta(call.index, text, isOpening ? call : undefined)]),
      )
    }
    return this.engine.delta(kind === 'reasoning' ? this.engine.reasoningField : 'content', JSON.stringify(text))
  }

  #choice(script: Script, index: number): JsonObject {
    const content = joined(script, 'content')
    const reasoning = joined(script, 'reasoning')
    const calls = script.segments.flatMap(({ call, text }) =>
      call === undefined ? [] : [{ id: call.id, type: 'function', function: { name: call.name, arguments: text } }],
    )
    const logprobs = this.plan.logprobs ? chatLogprobs(splitTokens(content)) : null
    if (this.engine.sparse) {
      const message: JsonObject = {
        role: 'assistant',
        content,
        ...(reasoning !== '' && { [this.engine.reasoningField]: reasoning }),
        ...(calls.length > 0 && { tool_calls: calls }),
      }
      return { index, message, ...(logprobs !== null && { logprobs }), ...ending(script, this.engine) }
    }
    const message: JsonObject = {
      role: 'assistant',
      content: content === '' && (calls.length > 0 || reasoning !== '') ? null : content,
      [this.engine.reasoningField]: reasoning === '' ? null : reasoning,
      tool_calls: calls,
      ...this.engine.messageExtras,
    }
    return { index, message, logprobs, ...ending(script, this.engine) }
  }
}

function joined(script: Script, kind: Segment['kind']): string {
  return script.segments.map(segment => (segment.kind === kind ? segment.text : '')).join('')
}
