import type { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Counter, Services } from '../../../lib/plugin.ts'

export interface ExportQueueOptions extends Pick<Services, 'log' | 'metrics'> {
  readonly exporter: Pick<OTLPTraceExporter, 'export' | 'shutdown'>
  /** For the log. */
  readonly endpoint: string
}

/** Spans that wait: about 10 MB. */
export const MOST_WAITING = 4096

/** Spans of one request to the collector. Serialising them takes a millisecond of the event loop. */
export const BATCH = 128

/** Spans leave after this time at the latest. */
const INTERVAL_MS = 1000

/** What is left at the end is exported for so long. */
const CLOSE_MS = 4000

/**
 * Spans on their way to the collector. One batch at a time, in the background: a request never waits for it. What does not fit
 * is dropped and counted, and so is a batch that the collector does not take; the log has one line when that begins and one
 * when it ends.
 */
export class ExportQueue implements SpanProcessor {
  readonly #options: ExportQueueOptions
  readonly #exported: Counter
  readonly #dropped: Counter<'reason'>
  #waiting: ReadableSpan[] = []
  #timer: NodeJS.Timeout | null = null
  #exporting: Promise<void> | null = null
  #failing = false

  constructor(options: ExportQueueOptions) {
    this.#options = options
    this.#exported = options.metrics.counter({
      name: 'sluiceway_trace_spans_exported_total',
      help: 'Spans that the trace collector has taken.',
    })
    this.#dropped = options.metrics.counter({
      name: 'sluiceway_trace_spans_dropped_total',
      help: 'Spans that were not exported: the queue was full, the collector did not take them, or the process ended.',
      labelNames: ['reason'],
    })
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.#waiting.length >= MOST_WAITING) return this.#dropped.inc({ reason: 'queue_full' })
    this.#waiting.push(span)
    if (this.#exporting !== null) return
    if (this.#waiting.length >= BATCH) this.#export()
    else this.#timer ??= setTimeout(() => this.#export(), INTERVAL_MS).unref()
  }

  async forceFlush(): Promise<void> {
    this.#export()
    await this.#exporting
  }

  /** Exports what is left, as long as there is time. */
  async shutdown(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>(resolve => (timer = setTimeout(resolve, CLOSE_MS)))
    await Promise.race([this.forceFlush(), late])
    clearTimeout(timer)
    if (this.#waiting.length > 0) this.#dropped.inc({ reason: 'shutdown' }, this.#waiting.length)
    this.#waiting = []
    void this.#options.exporter.shutdown().catch(() => {})
  }

  #export(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#exporting ??= this.#exportAll().finally(() => (this.#exporting = null))
  }

  async #exportAll(): Promise<void> {
    // In a turn of its own: the span that fills a batch ends while a response waits for its last byte.
    await new Promise(setImmediate)
    while (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0, BATCH))
  }

  #send(batch: readonly ReadableSpan[]): Promise<void> {
    return new Promise(resolve => {
      this.#options.exporter.export([...batch], ({ error, code }) => {
        if (code === 0) this.#took(batch.length)
        else this.#refused(batch.length, error)
        resolve()
      })
    })
  }

  #took(spans: number): void {
    this.#exported.inc(spans)
    if (!this.#failing) return
    this.#failing = false
    this.#options.log.info({ endpoint: this.#options.endpoint }, 'trace collector takes spans again')
  }

  #refused(spans: number, error: (Error & { readonly code?: unknown }) | undefined): void {
    this.#dropped.inc({ reason: 'export_failed' }, spans)
    if (this.#failing) return
    this.#failing = true
    const reason = [error?.code, error?.message].filter(part => part !== undefined && part !== '').join(': ')
    this.#options.log.warn(
      { endpoint: this.#options.endpoint, reason },
      'trace collector does not take spans: they are dropped and counted until it does',
    )
  }
}
