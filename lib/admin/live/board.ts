/** What the page of the present shows: every backend now, and the last hour in points of five seconds, in constant memory. */
import type { ListedBackend } from '../../backends/backend-list.ts'
import { firstTokenQuantile } from '../../backends/lease.ts'
import type { Clock } from '../../base/clock.ts'
import {
  addLive,
  type BackendCounts,
  type Failure,
  type LiveCounts,
  type LivePeriod,
  MOST_FAILURES,
  noCounts,
} from './counts.ts'

const EVERY_MS = 5000
const HOUR_POINTS = 3_600_000 / EVERY_MS
/** What rates are of. */
const MINUTE_POINTS = 60_000 / EVERY_MS

/** Models whose points are kept, beyond those of all together: those that were called in the last hour. */
const MOST_MODELS = 64

/** Five seconds of all backends together, or of those of one model. */
export interface LivePoint {
  /** Seconds since the epoch, at the end. */
  readonly at: number
  readonly requests_per_second: number
  readonly errors_per_second: number
  readonly tokens_per_second: number
  readonly in_flight: number
  /** null: no stream has had a first token. */
  readonly ttft_p50_ms: number | null
  readonly ttft_p95_ms: number | null
}

/** A backend of a model. Rates and times are of the last minute. */
export interface LiveRow {
  readonly model: string
  readonly url: string
  readonly state: string
  readonly drain: string | null
  readonly problem: string | null
  readonly in_flight: number
  readonly limit: number | null
  readonly requests_per_second: number
  readonly ttft_p50_ms: number | null
  readonly ttft_p95_ms: number | null
  readonly tokens_per_second: number
  /** Requests of the last minute. */
  readonly errors: number
  /** Share of input tokens, in percent; null: there were none. */
  readonly cache_hit_pct: number | null
}

export interface LiveState {
  readonly rows: readonly LiveRow[]
  /** Newest first. */
  readonly failures: readonly Failure[]
  /** Reasons for not being ready; empty: it is. */
  readonly unready: readonly string[]
}

export interface LiveUpdate extends LiveState {
  readonly point: LivePoint
  /** The same by model, of those that were called in the last hour. */
  readonly models: ReadonlyMap<string, LivePoint>
}

export interface BoardOptions {
  readonly clock: Clock
  readonly everyMs?: number
  backends(): Promise<readonly ListedBackend[]>
  /** What each process has counted since the last call. Called by the board alone. */
  periods(): Promise<readonly LivePeriod[]>
  unready(): readonly string[]
}

export class LiveBoard {
  readonly #options: BoardOptions
  readonly #timer: NodeJS.Timeout
  /** Of the last hour, oldest first. */
  #points: LivePoint[] = []
  readonly #modelPoints = new Map<string, LivePoint[]>()
  /** Of the last minute, oldest first. */
  #minute: (readonly BackendCounts[])[] = []
  /** Newest first. */
  #failures: readonly Failure[] = []
  readonly #listeners = new Set<(update: LiveUpdate) => void>()

  constructor(options: BoardOptions) {
    this.#options = options
    const { everyMs = EVERY_MS } = options
    this.#timer = setInterval(() => void this.tick(), everyMs).unref()
  }

  get points(): readonly LivePoint[] {
    return this.#points
  }

  /** Models that were called in the last hour, in the order of their names. */
  get models(): readonly string[] {
    return [...this.#modelPoints.keys()].toSorted()
  }

  /** The points of one model, since its first request of the last hour; empty: there was none. */
  pointsOf(model: string): readonly LivePoint[] {
    return this.#modelPoints.get(model) ?? []
  }

  /** The state of now, with the rates of the last tick. */
  async state(): Promise<LiveState> {
    return this.#state(await this.#options.backends())
  }

  /** `listener` is called at each tick, until the function that is returned is called. */
  listen(listener: (update: LiveUpdate) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Called by the timer; by tests at once. Never rejects. */
  async tick(): Promise<void> {
    try {
      const { periods, backends, clock } = this.#options
      const [taken, listed] = await Promise.all([periods(), backends()])
      const counts = taken.flatMap(period => period.backends)
      this.#minute = [...this.#minute, counts].slice(-MINUTE_POINTS)
      const failures = taken.flatMap(period => period.failures).toSorted((a, b) => b.at - a.at)
      this.#failures = [...failures, ...this.#failures].slice(0, MOST_FAILURES)
      const point = pointOf(clock.now() / 1000, counts, listed)
      this.#points = [...this.#points, point].slice(-HOUR_POINTS)
      const models = this.#addToModels(counts, listed)
      if (this.#listeners.size === 0) return
      const update = { ...this.#state(listed), point, models }
      for (const listener of this.#listeners) listener(update)
    } catch {
      // A worker that has ended while it was asked: the next tick asks those there are.
    }
  }

  close(): void {
    clearInterval(this.#timer)
    this.#listeners.clear()
  }

  #addToModels(counts: readonly BackendCounts[], listed: readonly ListedBackend[]): ReadonlyMap<string, LivePoint> {
    const now = this.#options.clock.now() / 1000
    const known = new Set(listed.map(({ model }) => model))
    for (const { model } of counts) {
      if (model === null || !known.has(model) || this.#modelPoints.size >= MOST_MODELS) continue
      if (!this.#modelPoints.has(model)) this.#modelPoints.set(model, [])
    }
    const added = new Map<string, LivePoint>()
    for (const [model, points] of this.#modelPoints) {
      const own = counts.filter(one => one.model === model)
      const backends = listed.filter(one => one.model === model)
      const point = pointOf(now, own, backends)
      const kept = [...points, point].slice(-HOUR_POINTS)
      const isQuiet = kept.every(one => one.requests_per_second === 0 && one.in_flight === 0)
      if (isQuiet) this.#modelPoints.delete(model)
      else {
        this.#modelPoints.set(model, kept)
        added.set(model, point)
      }
    }
    return added
  }

  #state(listed: readonly ListedBackend[]): LiveState {
    const recent = new Map<string, LiveCounts>()
    for (const counts of this.#minute.flat()) {
      const key = keyOf(counts.model, counts.backend)
      const sum = recent.get(key) ?? noCounts()
      addLive(sum, counts)
      recent.set(key, sum)
    }
    const seconds = (Math.max(1, this.#minute.length) * EVERY_MS) / 1000
    const rows = listed.map(backend => rowOf(backend, recent.get(keyOf(backend.model, backend.url)), seconds))
    return { rows, failures: this.#failures, unready: this.#options.unready() }
  }
}

function keyOf(model: string | null, backend: string | null): string {
  return `${model} ${backend}`
}

function pointOf(at: number, all: readonly LiveCounts[], listed: readonly ListedBackend[]): LivePoint {
  const sum = noCounts()
  for (const counts of all) addLive(sum, counts)
  const seconds = EVERY_MS / 1000
  return {
    at: Math.round(at),
    requests_per_second: sum.requests / seconds,
    errors_per_second: sum.errors / seconds,
    tokens_per_second: sum.outputTokens / seconds,
    in_flight: listed.reduce((total, { in_flight }) => total + in_flight, 0),
    ttft_p50_ms: firstTokenQuantile(sum, 0.5),
    ttft_p95_ms: firstTokenQuantile(sum, 0.95),
  }
}

function rowOf(backend: ListedBackend, counts: LiveCounts = noCounts(), seconds: number): LiveRow {
  const { model, url, state, drain, problem, in_flight, limit } = backend
  return {
    model,
    url,
    state,
    drain,
    problem,
    in_flight,
    limit,
    requests_per_second: counts.requests / seconds,
    ttft_p50_ms: firstTokenQuantile(counts, 0.5),
    ttft_p95_ms: firstTokenQuantile(counts, 0.95),
    tokens_per_second: counts.outputTokens / seconds,
    errors: counts.errors,
    cache_hit_pct: counts.inputTokens === 0 ? null : (counts.cachedTokens / counts.inputTokens) * 100,
  }
}
