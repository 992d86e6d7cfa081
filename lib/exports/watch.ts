/** Sends records and audit entries to other systems. One of the processes that share a store sends a stream. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { hourly } from '../base/hourly.ts'
import type { JsonObject } from '../base/json.ts'
import type { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/config.ts'
import { type ExportName, endExport, leadExport, leaveExport, noteExported, waitingExports } from '../store/exports.ts'
import type { Store } from '../store/store.ts'
import { type ExportTarget, sendLines } from './destinations.ts'
import { RejectedLines } from './otlp.ts'

interface ExportParts {
  readonly store: Store
  readonly config: () => Pick<Config, 'export'>
  /** Adds the members that the operators' API adds: names of accounts. */
  readonly complete: (lines: readonly JsonObject[]) => Promise<readonly JsonObject[]>
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  /** Pause between two rounds. */
  readonly everyMs?: number
}

const EVERY_MS = 1000
/** Another process may send after this time without a batch in this process. */
const LEASE_MS = 30_000
/** Pause after the first failed batch. It doubles after each further one. */
const RETRY_MS = 1000
const MAX_RETRY_MS = 60_000
/** How often a stream that the configuration does not have is switched off in the store. */
const END_MS = 3_600_000

const NAMES = ['records', 'audit'] as const

/** Returns a function that stops, and lets another process send. */
export function watchExports(parts: ExportParts): () => Promise<void> {
  const { metrics, everyMs = EVERY_MS } = parts
  const counters = {
    lines: metrics.counter({
      name: 'sluiceway_export_lines_total',
      help: 'Lines that an export has sent, or that its receiver has rejected for good.',
      labelNames: ['export', 'outcome'],
    }),
    failures: metrics.counter({
      name: 'sluiceway_export_failures_total',
      help: 'Batches of an export that could not be sent. They are sent again.',
      labelNames: ['export'],
    }),
  }
  const streams = NAMES.map(name => new Stream(name, { ...parts, ...counters }))
  metrics.gauge({
    name: 'sluiceway_export_lag_seconds',
    help: 'Age of the oldest line that this process has not sent; 0 in a process that does not send.',
    labelNames: ['export'],
    aggregator: 'max',
    collect() {
      for (const { name, lagSeconds } of streams) this.set({ export: name }, lagSeconds)
    },
  })
  const ends = streams.map(stream => hourly(stop => stream.round(stop), stream.failed, everyMs))
  return async () => {
    await Promise.all(ends.map(end => end()))
    await Promise.all(streams.map(stream => stream.leave()))
  }
}

interface StreamParts extends Omit<ExportParts, 'metrics' | 'everyMs'> {
  readonly lines: { inc(labels: { export: string; outcome: string }, count: number): void }
  readonly failures: { inc(labels: { export: string }): void }
}

class Stream {
  readonly name: ExportName
  lagSeconds = 0
  readonly #parts: StreamParts
  readonly #holder = randomUUID()
  #failures = 0
  /** Milliseconds since the epoch, as `#endAt`. */
  #nextAt = 0
  #endAt = 0

  constructor(name: ExportName, parts: StreamParts) {
    this.name = name
    this.#parts = parts
  }

  async round(stop: AbortSignal): Promise<void> {
    const { store, config, clock } = this.#parts
    const target = config().export?.[this.name]
    const now = clock.now()
    if (target === undefined) return this.#end(now)
    if (now < this.#nextAt) return
    await store.prepare()
    while (!stop.aborted && (await this.#lead())) if (!(await this.#send(target))) return
    this.lagSeconds = 0
  }

  /** To be called with what round() rejects with. */
  readonly failed = (error: unknown): void => {
    const { log, clock, failures } = this.#parts
    failures.inc({ export: this.name })
    if (this.#failures === 0) log.warn({ export: this.name, problem: (error as Error).message }, 'export not sent')
    this.#nextAt = clock.now() + Math.min(RETRY_MS * 2 ** this.#failures, MAX_RETRY_MS)
    this.#failures++
  }

  leave(): Promise<void> {
    return leaveExport(this.#parts.store, this.name, this.#holder).catch(() => {})
  }

  /** Switches the stream off in the store. Without a target, a store that is away is no failure of an export. */
  async #end(now: number): Promise<void> {
    if (now < this.#endAt) return
    const { store } = this.#parts
    try {
      await store.prepare()
      await endExport(store, this.name, (now - LEASE_MS) * 1000)
      this.#endAt = now + END_MS
    } catch {
      this.#endAt = now + MAX_RETRY_MS
    }
  }

  #lead(): Promise<boolean> {
    const now = this.#parts.clock.now()
    return leadExport(this.#parts.store, this.name, this.#holder, now * 1000, (now + LEASE_MS) * 1000)
  }

  /** Sends one batch. False: nothing more waits. */
  async #send(target: ExportTarget): Promise<boolean> {
    const { store, clock, log, complete, lines: counter } = this.#parts
    const { ids, lines, since } = await waitingExports(store, this.name, target.max_batch)
    const now = clock.now()
    this.lagSeconds = since === null ? 0 : Math.max(0, now - since / 1000) / 1000
    if (ids.length === 0) return false
    let rejected = 0
    if (lines.length > 0) {
      await sendLines(target, this.name, await complete(lines), now).catch(error => {
        if (!(error instanceof RejectedLines)) throw error
        rejected = error.count
        log.error({ export: this.name, lines: rejected }, 'the receiver of an export rejects lines: they are lost')
      })
    }
    await noteExported(store, this.name, ids)
    counter.inc({ export: this.name, outcome: 'sent' }, lines.length - rejected)
    if (rejected > 0) counter.inc({ export: this.name, outcome: 'rejected' }, rejected)
    if (this.#failures > 0) log.info({ export: this.name }, 'export sent again')
    this.#failures = 0
    return ids.length === target.max_batch
  }
}
