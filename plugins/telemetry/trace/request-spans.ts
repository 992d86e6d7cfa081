import type { Span } from '@opentelemetry/api'

/** The spans of one request. */
export class RequestSpans {
  /** Whether the request is traced; null until the first attempt, when it is known whether zero data retention is required. */
  isSampled: boolean | null = null
  /** The trace is that of the client. */
  isContinued = false
  /** Id of the model that was asked for; undefined: none that this gateway has. */
  model: string | undefined = undefined
  /** null where the request is not traced. */
  server: Span | null = null
  /** One per attempt; none where the request is not traced. */
  readonly clients: Span[] = []
}
