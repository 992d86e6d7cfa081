import { DiagLogLevel, diag } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Services } from '../../../lib/plugin.ts'

/** Minimum time between two log lines about dropped spans. */
const LOG_EVERY_MS = 60_000

/** Counts the spans that the collector accepts and refuses. Logs dropped ones, also if the queue before it is full. */
export class CountedExporter implements SpanExporter {
  readonly #exporter: SpanExporter
  readonly #endpoint: string
  readonly #log: Services['log']
  readonly #clock: Services['clock']
  readonly #exported
  readonly #dropped
  /** Monotonic milliseconds. */
  #logAgainAt = 0

  /** `endpoint`: for the log. */
  constructor(
    exporter: SpanExporter,
    endpoint: string,
    { log, clock, metrics }: Pick<Services, 'log' | 'clock' | 'metrics'>,
  ) {
    this.#exporter = exporter
    this.#endpoint = endpoint
    this.#log = log
    this.#clock = clock
    this.#exported = metrics.counter({
      name: 'sluiceway_trace_spans_exported_total',
      help: 'Spans that the trace collector has accepted.',
    })
    this.#dropped = metrics.counter({
      name: 'sluiceway_trace_spans_dropped_total',
      help: 'Spans that the trace collector has not accepted.',
      labelNames: ['reason'],
    })
    this.#logFullQueue()
  }

  export: SpanExporter['export'] = (spans, done) => {
    this.#exporter.export(spans, result => {
      if (result.code === 0) {
        this.#exported.inc(spans.length)
      } else {
        this.#dropped.inc({ reason: 'export_failed' }, spans.length)
        this.#logDrop(reasonOf(result.error))
      }
      done(result)
    })
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown()
  }

  /** The SDK reports a full queue to the diagnostic logger of the process. */
  #logFullQueue(): void {
    const ignore = () => {}
    // Other warnings are ignored, because one of them contains the value of a header, which may be a token.
    const warn = (message: string) => {
      if (/^Dropped \d+ spans /.test(message)) this.#logDrop(message)
    }
    diag.setLogger(
      { error: ignore, warn, info: ignore, debug: ignore, verbose: ignore },
      { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
    )
  }

  #logDrop(reason: string): void {
    const now = this.#clock.monotonic()
    if (now < this.#logAgainAt) return
    this.#logAgainAt = now + LOG_EVERY_MS
    this.#log.warn({ endpoint: this.#endpoint, reason }, 'trace spans are dropped')
  }
}

/** An HTTP status or an error code of Node, and the message. */
function reasonOf(error: (Error & { readonly code?: unknown }) | undefined): string {
  return [error?.code, error?.message].filter(part => part !== undefined && part !== '').join(': ')
}
