import type { HrTime, Span } from '@opentelemetry/api'
import { type Chunk, type Clock, Transformer } from '../../../lib/plugin.ts'
import { hasTokens, STALL_MS } from '../tokens.ts'

/** Adds events for the first token and for stalls to the span of an attempt. Changes no chunk. */
export class TokenWatch extends Transformer {
  readonly #span: Span
  readonly #clock: Clock
  /** Monotonic time of the last token; null before the first. */
  #lastAt: number | null = null

  constructor(span: Span, clock: Clock) {
    super()
    this.#span = span
    this.#clock = clock
  }

  override chunk(chunk: Chunk): void {
    if (hasTokens(chunk)) this.#token()
    this.next.chunk(chunk)
  }

  #token(): void {
    const at = this.#clock.monotonic()
    const gap = this.#lastAt === null ? 0 : at - this.#lastAt
    if (this.#lastAt === null) this.#span.addEvent('first_token', this.#now())
    // The SDK keeps the last 128 events of a span.
    else if (gap > STALL_MS) this.#span.addEvent('stall', { 'sluiceway.stall.seconds': gap / 1000 }, this.#now())
    this.#lastAt = at
  }

  #now(): HrTime {
    return timeOf(this.#clock.micros())
  }
}

/** Converts microseconds since the epoch to seconds and nanoseconds. */
export function timeOf(micros: number): HrTime {
  const seconds = Math.floor(micros / 1e6)
  return [seconds, Math.round((micros - seconds * 1e6) * 1000)]
}
