import {
  type Chunk,
  definePlugin,
  failure,
  type GatewayError,
  newChunk,
  type ToolCallDelta,
  Transformer,
  type Usage,
} from '../../../lib/plugin.ts'
import { target } from '../../slots.ts'
import type { Options } from './generated/options.ts'
import options from './options.json' with { type: 'json' }

/** The calls of one choice so far, by index. */
type Calls = Map<number, ToolCallDelta>

/** Memory of a delta beyond its characters: V8 links concatenated strings instead of copying them. */
const DELTA_BYTES = 32

/**
 * Holds the deltas of tool calls until their choice finishes and then sends the calls whole, in one chunk
 * (docs/api/chat-completions.md#stream). Text is passed on at once, also after a call: clients read the two
 * separately.
 */
export class WholeToolCalls extends Transformer {
  readonly #model: string
  readonly #maxBytes: number
  /** By choice; null until some choice calls a tool. */
  #held: Map<number, Calls> | null = null
  #bytes = 0
  /** Usage of a chunk that had nothing else to pass on: goes out with the next one. */
  #usage: Usage | undefined
  #over = false

  constructor(model: string, maxBytes: number) {
    super()
    this.#model = model
    this.#maxBytes = maxBytes
  }

  override chunk(chunk: Chunk): void {
    if (this.#over) return
    if (chunk.toolCalls !== undefined) {
      this.#hold(chunk.choice, chunk.toolCalls)
      chunk.toolCalls = undefined
    }
    if (this.#bytes > this.#maxBytes) this.#break()
    else if (chunk.finish !== undefined) this.#finish(chunk)
    else if (hasContent(chunk) || chunk.choice < 0) this.#pass(chunk)
    else this.#usage = chunk.usage ?? this.#usage
  }

  /** While calls are held, the end is premature: an incomplete call is never sent. */
  override end(): void {
    if (this.#over) return
    if (this.#held !== null && this.#held.size > 0) this.#break()
    else this.next.end()
  }

  override fail(error: GatewayError): void {
    if (this.#over) return
    this.#over = true
    this.#held = null
    this.next.fail(error)
  }

  #hold(choice: number, deltas: readonly ToolCallDelta[]): void {
    this.#held ??= new Map()
    let calls = this.#held.get(choice)
    if (calls === undefined) {
      calls = new Map()
      this.#held.set(choice, calls)
    }
    for (const delta of deltas) {
      const call = calls.get(delta.index)
      if (call === undefined) calls.set(delta.index, delta)
      else call.arguments += delta.arguments
      this.#bytes += delta.arguments.length + (delta.name?.length ?? 0) + DELTA_BYTES
    }
  }

  /** Sends the content of the last chunk first, then the calls, then the finish reason. */
  #finish(last: Chunk): void {
    const calls = this.#held?.get(last.choice)
    if (calls !== undefined) {
      this.#held?.delete(last.choice)
      if (hasContent(last)) {
        this.#pass({ ...last, finish: undefined, matchedStop: undefined, usage: undefined })
        last = { ...newChunk(last.choice), finish: last.finish, matchedStop: last.matchedStop, usage: last.usage }
      }
      const whole = newChunk(last.choice)
      // In the order of their indexes, not in the order in which they were completed.
      whole.toolCalls = [...calls.values()].sort((a, b) => a.index - b.index)
      this.#pass(whole)
    }
    this.#pass(last)
  }

  #pass(chunk: Chunk): void {
    chunk.usage ??= this.#usage
    this.#usage = undefined
    this.next.chunk(chunk)
  }

  #break(): void {
    const model = this.#model
    this.fail(failure('backend_http_error', { model }, { extra: { model } }))
  }
}

function hasContent({ start, text, reasoning, refusal, logprobs }: Chunk): boolean {
  return start || (text ?? reasoning ?? refusal ?? logprobs) !== undefined
}

export default definePlugin({
  name: 'whole-tool-calls',
  summary: 'Streams each tool call in one piece.',
  routes: { proxied: true, canonical: true, format: ['chat', 'messages', 'responses'] },
  options,
  needs: [target],

  setup: ({ max_held_bytes }: Options) => ({
    transform: exchange => new WholeToolCalls(exchange.get(target).model.id, max_held_bytes),
  }),
})
