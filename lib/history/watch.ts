/**
 * Keeps the history of backends and models: looks at them once a second, and adds the part of this process to the store
 * once a minute. Requests wait for nothing here.
 */
import type { Logger } from 'pino'
import type { Backend, BackendPool } from '../backends/pool.ts'
import type { Clock } from '../base/clock.ts'
import { hourly } from '../base/hourly.ts'
import type { Metrics } from '../base/metrics.ts'
import { within } from '../base/timeout.ts'
import type { RecordSink } from '../records/journal.ts'
import type { Routing } from '../routing/routing.ts'
import type { RequestRecord } from '../store/record.ts'
import type { Store } from '../store/store.ts'
import { Changes } from './changes.ts'
import { CounterReader } from './counters.ts'
import { Minute, type Sample } from './minute.ts'
import { keepHours, MinuteWriter } from './writer.ts'

export interface HistoryParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly pool: Pick<BackendPool, 'models'>
  readonly routing: Pick<Routing, 'measured'>
  /** How many requests are in the queue of a model. */
  queued(model: string): number
  /** Days for which hours are kept. */
  readonly days: number
  readonly everyMs?: number
}

export interface BackendHistory {
  /** A sink that counts records and passes them on. */
  tap(sink: RecordSink): RecordSink
  /** A configuration was applied. */
  reloaded(): void
  /** Writes the rest. */
  close(): Promise<void>
}

const EVERY_MS = 1000
const MINUTE_MS = 60_000
/** Samples between two readings of the metrics. */
const COUNTER_SAMPLES = 10
/** A process that was stopped for longer knows nothing of that time. */
const MAX_SAMPLE_MS = 5000
/** Records of a second. Times of more are not counted. */
const MAX_RECORDS = 50_000
const CLOSE_MS = 2000
const PREDICTION_COLUMNS = ['predictions', 'predicted_ms', 'measured_ms'] as const

export function keepBackendHistory(parts: HistoryParts): BackendHistory {
  const { store, clock, log, metrics, days, everyMs = EVERY_MS } = parts
  const minute = new Minute()
  const counters = new CounterReader(metrics)
  const changes = new Changes()
  const writer = new MinuteWriter(store, log)
  const endHours = keepHours({ store, clock, log, days })
  let records: RequestRecord[] = []
  /** The last sums of each backend. */
  const known = new WeakMap<Backend, readonly number[]>()
  let at = minuteOf(clock.now())
  let sampledAt = clock.monotonic()
  let samples = 0

  const sample = () => {
    const now = clock.monotonic()
    const seen = [...samplesOf(parts)]
    minute.sample(seen, Math.min(MAX_SAMPLE_MS, now - sampledAt))
    changes.see(seen, clock.now() * 1000)
    sampledAt = now
    for (const record of records) minute.request(record)
    records = []
  }
  const count = async () => {
    const { counted, ejections } = await counters.read()
    for (const { model, backend, column, more } of counted) minute.count(model, backend, column, more)
    for (const one of ejections) changes.add({ kind: 'ejected', at: clock.now() * 1000, ...one })
    const measured = [...parts.routing.measured()]
    for (const { backend, predictions } of measured) {
      const now = [predictions.count, predictions.predictedMs, predictions.measuredMs]
      const before = known.get(backend) ?? [0, 0, 0]
      for (const [i, column] of PREDICTION_COLUMNS.entries())
        if (now[i] !== before[i]) minute.count(backend.model, backend.address, column, now[i]! - before[i]!)
      known.set(backend, now)
    }
  }
  const take = async () => {
    await count()
    writer.add(minute.take(at), changes.take())
    at = minuteOf(clock.now())
  }

  const onError = (err: unknown) => log.error({ err }, 'fault')
  const end = hourly(
    async () => {
      sample()
      if (minuteOf(clock.now()) !== at) {
        await take()
        void writer.write()
      } else if (++samples % COUNTER_SAMPLES === 0) await count()
    },
    onError,
    everyMs,
  )

  return {
    tap: sink => ({
      get healthy() {
        return sink.healthy
      },
      append: record => {
        sink.append(record)
        if (records.length < MAX_RECORDS) records.push(record)
      },
    }),
    reloaded() {
      changes.add({ kind: 'reload', model: '', backend: '', reason: '', at: clock.now() * 1000 })
    },
    async close() {
      await end()
      await endHours()
      sample()
      await take()
      await within(CLOSE_MS, 'the store does not answer', writer.write()).catch(() => {})
    },
  }
}

function minuteOf(millis: number): number {
  return Math.floor(millis / MINUTE_MS)
}

function* samplesOf({ pool, routing, queued }: HistoryParts): Iterable<Sample> {
  const fills = new Map(Array.from(routing.measured(), ({ backend, fill }) => [backend, fill]))
  for (const { config, places, all } of pool.models()) {
    const { id: model } = config
    const capacity = places.limit ?? sumOf(all.map(({ limit }) => limit))
    const own = { inFlight: places.inFlight, queued: queued(model), capacity }
    yield { model, backend: '', state: null, cordon: null, fill: null, ...own }
    for (const backend of all) {
      const { address, state, cordon, inFlight, limit = null } = backend
      const fill = fills.get(backend) ?? null
      yield { model, backend: address, state, cordon, inFlight, queued: 0, capacity: limit, fill }
    }
  }
}

/** The limit of a model without one of its own; null: a backend has none. */
function sumOf(limits: readonly (number | undefined)[]): number | null {
  return limits.length === 0 || limits.includes(undefined) ? null : limits.reduce<number>((a, b) => a + b!, 0)
}
