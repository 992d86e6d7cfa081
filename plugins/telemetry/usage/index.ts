import type { Clock } from '../../../lib/base/clock.ts'
import type { ChatChunk, Usage } from '../../../lib/canonical/reply.ts'
import { Transformer } from '../../../lib/canonical/transformer.ts'
import { definePlugin } from '../../../lib/core/plugin.ts'
import { type Meter, meter } from '../../slots.ts'

/** api.md "Limits": a longer pause between two tokens is a stall. */
const STALL_MS = 1000

/** A meter that knows nothing yet. */
export function newMeter(): Meter {
  return {
    inputTokens: null,
    outputTokens: null,
    cacheReadTokens: null,
    reasoningTokens: null,
    firstTokenMs: null,
    lastTokenMs: null,
    stalls: 0,
    pace: null,
    finish: null,
    matchedStopTokenId: null,
    usagePresent: false,
    usageParseError: null,
  }
}

/** Reads off a reply what its record needs, and changes nothing. Must see chunks when the backend sends them. */
export class UsageStage extends Transformer {
  readonly #meter: Meter
  readonly #clock: Clock
  /** Monotonic time of the request's arrival; NaN for a reply whose pace means nothing. */
  readonly #arrived: number

  constructor(meter: Meter, clock: Clock, arrived: number) {
    super()
    this.#meter = meter
    this.#clock = clock
    this.#arrived = arrived
  }

  override chunk(chunk: ChatChunk): void {
    if (chunk.usage !== undefined) count(this.#meter, chunk.usage)
    if (chunk.usageError !== undefined) this.#meter.usageParseError = chunk.usageError
    if (chunk.text || chunk.reasoning || chunk.toolCalls !== undefined || chunk.refusal) this.#token()
    if (chunk.finish !== undefined) finish(this.#meter, chunk)
    this.next.chunk(chunk)
  }

  #token(): void {
    const at = this.#clock.monotonic() - this.#arrived
    if (Number.isNaN(at)) return
    const meter = this.#meter
    if (meter.lastTokenMs === null) {
      meter.firstTokenMs = at
    } else {
      const gap = at - meter.lastTokenMs
      if (gap > STALL_MS) meter.stalls++
      meter.pace?.observe(gap / 1000)
    }
    meter.lastTokenMs = at
  }
}

/** The last value counts; what one chunk leaves open keeps the value of an earlier one. */
function count(meter: Meter, usage: Usage): void {
  meter.usagePresent = true
  meter.inputTokens = usage.promptTokens
  meter.outputTokens = usage.completionTokens
  meter.cacheReadTokens = usage.cachedTokens ?? meter.cacheReadTokens
  meter.reasoningTokens = usage.reasoningTokens ?? meter.reasoningTokens
}

/** A record holds one reason: the first choice's, or the first that is known. */
function finish(meter: Meter, chunk: ChatChunk): void {
  if (meter.finish !== null && chunk.choice !== 0) return
  meter.finish = chunk.finish ?? null
  meter.matchedStopTokenId = typeof chunk.matchedStop === 'number' ? chunk.matchedStop : null
}

export default definePlugin({
  name: 'usage',
  summary: 'Counts tokens, the time to the first one and the stalls between them.',
  routes: { proxied: true },
  provides: [meter],
  // Stages run bottom to top: below whole-tool-calls, tokens are timed when they come and not when they are released.
  after: ['whole-tool-calls'],

  setup: (_options, { clock }) => ({
    onBody(exchange) {
      exchange.set(meter, newMeter())
    },

    transform(exchange) {
      const arrived = exchange.streaming ? clock.monotonic() - (clock.now() - exchange.startedAt) : Number.NaN
      return new UsageStage(exchange.get(meter), clock, arrived)
    },
  }),
})
