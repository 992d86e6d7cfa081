import {
  type Chunk,
  type Clock,
  definePlugin,
  type FinishPhase,
  type ModelTokens,
  type PromptSize,
  Transformer,
  type Usage,
} from '../../../lib/plugin.ts'
import { promptMeasure, type ReplyUsage, target, unitUse, usage } from '../../slots.ts'
import { isDelivered } from '../delivered.ts'
import { addGap } from '../token-pace.ts'
import { hasTokens, STALL_MS } from '../tokens.ts'

/** The usage of a reply that has not started. */
function newUsage(): ReplyUsage {
  return {
    inputTokens: null,
    outputTokens: null,
    cacheReadTokens: null,
    reasoningTokens: null,
    engineQueueMs: null,
    firstTokenMs: null,
    lastTokenMs: null,
    stalls: 0,
    pace: null,
    finish: null,
    matchedStopTokenId: null,
    usagePresent: false,
    outputBytes: 0,
    usageParseError: null,
  }
}

/** Collects tokens and times of a reply. Changes no chunk. Must receive each chunk when the backend sends it. */
class UsageTransformer extends Transformer {
  readonly #usage: ReplyUsage
  readonly #clock: Clock
  /** Monotonic time of the request's arrival; NaN for a JSON reply, whose chunks arrive at once. */
  readonly #arrived: number

  constructor(seen: ReplyUsage, clock: Clock, arrived: number) {
    super()
    this.#usage = seen
    this.#clock = clock
    this.#arrived = arrived
  }

  override chunk(chunk: Chunk): void {
    if (chunk.usage !== undefined) count(this.#usage, chunk.usage)
    if (chunk.usageError !== undefined) this.#usage.usageParseError = chunk.usageError
    if (hasTokens(chunk)) {
      this.#token()
      // An engine that counts while it generates has counted before the first bytes.
      if (!this.#usage.outputTokens) this.#usage.outputBytes += bytesOf(chunk)
    }
    if (chunk.finish !== undefined) finish(this.#usage, chunk)
    this.next.chunk(chunk)
  }

  #token(): void {
    const at = this.#clock.monotonic() - this.#arrived
    if (Number.isNaN(at)) return
    const seen = this.#usage
    if (seen.lastTokenMs === null) {
      seen.firstTokenMs = at
    } else {
      const gap = at - seen.lastTokenMs
      if (gap > STALL_MS) seen.stalls++
      if (seen.pace !== null) addGap(seen.pace, gap / 1000)
    }
    seen.lastTokenMs = at
  }
}

/** Bytes of generated output in a chunk. */
function bytesOf({ text, reasoning, refusal, toolCalls }: Chunk): number {
  let bytes = Buffer.byteLength(text ?? '') + Buffer.byteLength(reasoning ?? '') + Buffer.byteLength(refusal ?? '')
  for (const { name, arguments: pieces } of toolCalls ?? [])
    bytes += Buffer.byteLength(name ?? '') + Buffer.byteLength(pieces ?? '')
  return bytes
}

/** Removes what an earlier attempt has reported. */
function reset(seen: ReplyUsage): void {
  seen.inputTokens = seen.outputTokens = seen.cacheReadTokens = seen.reasoningTokens = null
  seen.engineQueueMs = null
  seen.usagePresent = false
  seen.usageParseError = null
  seen.outputBytes = 0
}

/** Applies a running total. A member that the chunk does not have keeps its earlier value. */
function count(seen: ReplyUsage, reported: Usage): void {
  seen.usagePresent = true
  seen.inputTokens = reported.promptTokens
  seen.outputTokens = reported.completionTokens
  seen.cacheReadTokens = reported.cachedTokens ?? seen.cacheReadTokens
  seen.reasoningTokens = reported.reasoningTokens ?? seen.reasoningTokens
  seen.engineQueueMs = reported.queuedMs ?? seen.engineQueueMs
}

/** Keeps one finish reason: that of the first choice, or the first known one. */
function finish(seen: ReplyUsage, chunk: Chunk): void {
  if (seen.finish !== null && chunk.choice !== 0) return
  seen.finish = chunk.finish ?? null
  seen.matchedStopTokenId = typeof chunk.matchedStop === 'number' ? chunk.matchedStop : null
}

export default definePlugin({
  name: 'usage',
  summary: 'Measures tokens, the time to the first one, and stalls.',
  routes: { proxied: true },
  provides: [usage],
  reads: [promptMeasure, target, unitUse],
  // Replies and finish hooks run bottom to top. Below whole-tool-calls, tokens are timed when they arrive, not when
  // they are sent; below credits, they are settled before they are charged and recorded.
  after: ['whole-tool-calls', 'credits'],

  setup: (_options, { clock, tokens }) => ({
    onBody(exchange) {
      exchange.set(usage, newUsage())
    },

    transform(exchange) {
      const arrived = exchange.streaming ? clock.monotonic() - (clock.now() - exchange.startedAt) : Number.NaN
      const seen = exchange.get(usage)
      reset(seen)
      return new UsageTransformer(seen, clock, arrived)
    },

    onFinish(exchange) {
      const seen = exchange.find(usage)
      const model = exchange.find(target)?.model.id
      if (seen === undefined || model === undefined) return
      seen.finish = exchange.stopReason ?? seen.finish
      // What is counted in units has no estimate of tokens.
      const hasUnits = (exchange.find(unitUse) ?? null) !== null
      const size = hasUnits ? null : (exchange.find(promptMeasure) ?? null)
      settle(exchange, seen, size, tokens.of(model))
    },
  }),
})

type Ending = Pick<FinishPhase, 'outcome' | 'requestSent' | 'brokeMidStream' | 'stopReason' | 'surface'>

/**
 * The tokens that a request has used (docs/USAGE.md#the-books): the backend's count, or an estimate. None if the client
 * received nothing. `size`: size of the prompt; null: not known.
 */
function settle(ending: Ending, seen: ReplyUsage, size: PromptSize | null, tokens: ModelTokens): void {
  if (!isDelivered(ending)) {
    seen.inputTokens = seen.outputTokens = seen.cacheReadTokens = seen.reasoningTokens = null
    return
  }
  if (seen.usagePresent) {
    // Some engines report the prompt first and the output only at the end, which has not arrived.
    const isCut = ending.outcome !== 'done' || ending.stopReason !== undefined
    if (isCut && seen.outputTokens === 0) seen.outputTokens = tokens.ofText(seen.outputBytes)
    if (size !== null && seen.inputTokens !== null) tokens.learn(size, seen.inputTokens)
    return
  }
  if (size === null) return
  seen.inputTokens = tokens.expected(size)
  seen.outputTokens = tokens.ofText(seen.outputBytes)
}
