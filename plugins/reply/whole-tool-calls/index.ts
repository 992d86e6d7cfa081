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

/** Memory of a delta in addition to its characters: V8 links concatenated strings instead of copying them. */
const DELTA_BYTES = 32

/**
 * Buffers the deltas of tool calls until their choice finishes, and sends the complete calls in one chunk. Text is
 * passed on at once, also after a call, because clients read the two separately.
 */
class WholeToolCalls extends Transformer {
  readonly #model: string
  readonly #maxBytes: number
  /** By choice; null until a choice calls a tool. */
  #buffered: Map<number, Calls> | null = null
  #bytes = 0
  /** Usage of a chunk with no other content: sent with the next chunk. */
  #usage: Usage | undefined
  #hasFailed = false

  constructor(model: string, maxBytes: number) {
    super()
    this.#model = model
    this.#maxBytes = maxBytes
  }

  override chunk(chunk: Chunk): void {
    if (this.#hasFailed) return
    if (chunk.toolCalls !== undefined) {
      this.#buffer(chunk.choice, chunk.toolCalls)
      chunk.toolCalls = undefined
    }
    if (this.#bytes > this.#maxBytes) this.#break()
    else if (chunk.finish !== undefined) this.#finish(chunk)
    else if (hasContent(chunk) || chunk.choice < 0) this.#pass(chunk)
    else this.#usage = chunk.usage ?? this.#usage
  }

  /** With buffered calls the end is premature: an incomplete call is never sent. */
  override end(): void {
    if (this.#hasFailed) return
    if (this.#buffered !== null && this.#buffered.size > 0) this.#break()
    else this.next.end()
  }

  override fail(error: GatewayError): void {
    if (this.#hasFailed) return
    this.#hasFailed = true
    this.#buffered = null
    this.next.fail(error)
  }

  #buffer(choice: number, deltas: readonly ToolCallDelta[]): void {
    this.#buffered ??= new Map()
    let calls = this.#buffered.get(choice)
    if (calls === undefined) {
      calls = new Map()
      this.#buffered.set(choice, calls)
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
    const calls = this.#buffered?.get(last.choice)
    if (calls !== undefined) {
      this.#buffered?.delete(last.choice)
      // A filter has cut the reply: no client may run a call that is incomplete or was not allowed.
      if (last.finish === 'content_filter') return this.#pass(last)
      if (hasContent(last)) {
        this.#pass({ ...last, finish: undefined, matchedStop: undefined, usage: undefined })
        last = { ...newChunk(last.choice), finish: last.finish, matchedStop: last.matchedStop, usage: last.usage }
      }
      const whole = newChunk(last.choice)
      // Sorted by index, because calls may complete in another order.
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

function hasContent({ start, text, reasoning, refusal, logprobs, tokenIds, promptTokenIds }: Chunk): boolean {
  return start || (text ?? reasoning ?? refusal ?? logprobs ?? tokenIds ?? promptTokenIds) !== undefined
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
