import type { HrTime, Span } from '@opentelemetry/api'
import { type Chunk, type Clock, Transformer } from '../../../lib/plugin.ts'
import { hasTokens, STALL_MS } from '../tokens.ts'

/** Notes on the span of an attempt when its first token came, and its stalls. Changes no chunk. */
export class TokenWatch extends Transformer {
  readonly #span: Span
  readonly #clock: Clock
  /** Of the last token, on the monotonic clock; null before the first. */
  #last: number | null = null

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
    const gap = this.#last === null ? 0 : at - this.#last
    if (this.#last === null) this.#span.addEvent('first_token', this.#now())
    // The SDK keeps the last 128 events of a span.
    else if (gap > STALL_MS) this.#span.addEvent('stall', { 'sluiceway.stall.seconds': gap / 1000 }, this.#now())
    this.#last = at
  }

  #now(): HrTime {
    return timeOf(this.#clock.micros())
  }
}

/** Microseconds since the epoch as OpenTelemetry counts: seconds and nanoseconds. */
export function timeOf(micros: number): HrTime {
  const seconds = Math.floor(micros / 1e6)
  return [seconds, Math.round((micros - seconds * 1e6) * 1000)]
}
