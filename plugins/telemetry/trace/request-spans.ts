import type { Span } from '@opentelemetry/api'

/** The spans of one request. */
export class RequestSpans {
  /** null until the first attempt, when the requirement of zero data retention is known. */
  isSampled: boolean | null = null
  /** True: the spans belong to the client's trace. */
  isContinued = false
  /** null: the request is not traced. */
  server: Span | null = null
  /** One per attempt; none if the request is not traced. */
  readonly clients: Span[] = []
}
