/** Live data of the page Overview: the state of each backend, and the last hour in points of five seconds. */
import type { ListedBackend } from '../../backends/backend-list.ts'
import { firstTokenQuantile } from '../../backends/recent.ts'
import type { Clock } from '../../base/clock.ts'
import {
  addLive,
  type BackendCounts,
  type Failure,
  type LiveCounts,
  type LivePeriod,
  MAX_FAILURES,
  noCounts,
} from './counts.ts'
import type { ListedGateway } from './fleet.ts'
import { type SpareFacts, sumSpare } from './spare.ts'

const INTERVAL_MS = 5000
const HOUR_POINTS = 3_600_000 / INTERVAL_MS
/** Rates and times of a backend cover this number of points. */
const MINUTE_POINTS = 60_000 / INTERVAL_MS

/** Models with points of their own. A model has points if it was requested in the last hour. */
const MAX_MODELS = 64

/** Five seconds of all backends, or of the backends of one model. */
export interface LivePoint {
  /** End of the period, in seconds since the epoch. */
  readonly at: number
  readonly requests_per_second: number
  readonly errors_per_second: number
  readonly tokens_per_second: number
  readonly in_flight: number
  /** null: no stream had a first token. */
  readonly ttft_p50_ms: number | null
  readonly ttft_p95_ms: number | null
}

/** What was measured in the last minute. */
interface LiveRates {
  readonly requests_per_second: number
  readonly ttft_p50_ms: number | null
  readonly ttft_p95_ms: number | null
  readonly tokens_per_second: number
  readonly errors: number
  /** Percentage of input tokens that were cached; null: there were no input tokens. */
  readonly cache_hit_pct: number | null
}

/** A backend of a model. */
export interface LiveRow
  extends LiveRates,
    Pick<
      ListedBackend,
      'model' | 'url' | 'state' | 'drain' | 'problem' | 'in_flight' | 'limit' | 'beliefs' | 'machines'
    > {}

/** A model, over its backends. */
export interface LiveModel extends LiveRates {
  readonly model: string
  readonly backends: number
  /** Backends whose state is `up`. */
  readonly up: number
  readonly in_flight: number
  /** null: a backend has no limit. */
  readonly limit: number | null
}

export interface LiveState {
  readonly rows: readonly LiveRow[]
  /** In the order of the first backend of each. */
  readonly modelRows: readonly LiveModel[]
  /** All gateways of the store, this one first. */
  readonly gateways: readonly ListedGateway[]
  /** Newest first. */
  readonly failures: readonly Failure[]
  readonly unready: readonly string[]
}

export interface LiveUpdate extends LiveState {
  readonly point: LivePoint
  /** The points of the models that were requested in the last hour. */
  readonly models: ReadonlyMap<string, LivePoint>
}

export interface DashboardOptions {
  readonly clock: Clock
  backends(): Promise<readonly ListedBackend[]>
  gateways(): Promise<readonly ListedGateway[]>
  /** The counts of each gateway since the last call. Only the dashboard calls it. */
  periods(): Promise<readonly LivePeriod[]>
  unready(): readonly string[]
}

export class Dashboard {
  readonly #options: DashboardOptions
  readonly #timer: NodeJS.Timeout
  /** The last hour, oldest first. */
  #points: LivePoint[] = []
  readonly #modelPoints = new Map<string, LivePoint[]>()
  /** The counts of the last minute, oldest first. */
  #minute: (readonly BackendCounts[])[] = []
  /** Newest first. */
  #failures: readonly Failure[] = []
  #spare: readonly SpareFacts[] = []
  readonly #listeners = new Set<(update: LiveUpdate) => void>()

  constructor(options: DashboardOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#tick(), INTERVAL_MS).unref()
  }

  get points(): readonly LivePoint[] {
    return this.#points
  }

  /** The spare capacity of each model for batches, over all gateways, as of the last tick. */
  get spare(): readonly SpareFacts[] {
    return this.#spare
  }

  get models(): readonly string[] {
    return [...this.#modelPoints.keys()].toSorted()
  }

  /** The points of one model, since its first request in the last hour; empty: no request. */
  pointsOf(model: string): readonly LivePoint[] {
    return this.#modelPoints.get(model) ?? []
  }

  /** The current state, with the rates of the last tick. */
  async state(): Promise<LiveState> {
    const { backends, gateways } = this.#options
    return this.#state(await Promise.all([backends(), gateways()]))
  }

  /** Calls `listener` at each tick. Returns a function that removes it. */
  listen(listener: (update: LiveUpdate) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Never rejects. */
  async #tick(): Promise<void> {
    try {
      const { periods, backends, gateways, clock } = this.#options
      const [processes, listed, fleet] = await Promise.all([periods(), backends(), gateways()])
      const counts = processes.flatMap(period => period.backends)
      this.#spare = sumSpare(processes.flatMap(period => period.spare ?? []))
      this.#minute = [...this.#minute, counts].slice(-MINUTE_POINTS)
      const failures = processes.flatMap(period => period.failures).toSorted((a, b) => b.at - a.at)
      this.#failures = [...failures, ...this.#failures].slice(0, MAX_FAILURES)
      const point = pointOf(clock.now() / 1000, counts, listed)
      this.#points = [...this.#points, point].slice(-HOUR_POINTS)
      const models = this.#addToModels(counts, listed)
      if (this.#listeners.size === 0) return
      const update = { ...this.#state([listed, fleet]), point, models }
      for (const listener of this.#listeners) listener(update)
    } catch {
      // A worker ended before it answered. The next tick asks the current workers.
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
      if (model === null || !known.has(model) || this.#modelPoints.size >= MAX_MODELS) continue
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

  #state([listed, gateways]: readonly [readonly ListedBackend[], readonly ListedGateway[]]): LiveState {
    const minute = this.#minute.flat()
    const ofBackends = Map.groupBy(minute, ({ model, backend }) => keyOf(model, backend))
    const ofModels = Map.groupBy(minute, ({ model }) => model)
    const seconds = (Math.max(1, this.#minute.length) * INTERVAL_MS) / 1000
    const rows = listed.map(backend => ({
      ...backend,
      ...ratesOf(ofBackends.get(keyOf(backend.model, backend.url)), seconds),
    }))
    const modelRows = Array.from(
      Map.groupBy(listed, ({ model }) => model),
      ([model, backends]) => ({
        ...modelOf(model, backends),
        ...ratesOf(ofModels.get(model), seconds),
      }),
    )
    return { rows, modelRows, gateways, failures: this.#failures, unready: this.#options.unready() }
  }
}

function keyOf(model: string | null, backend: string | null): string {
  return `${model} ${backend}`
}

function sumOf(all: readonly LiveCounts[]): LiveCounts {
  const sum = noCounts()
  for (const counts of all) addLive(sum, counts)
  return sum
}

function pointOf(at: number, all: readonly LiveCounts[], listed: readonly ListedBackend[]): LivePoint {
  const sum = sumOf(all)
  const seconds = INTERVAL_MS / 1000
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

function modelOf(model: string, backends: readonly ListedBackend[]): Omit<LiveModel, keyof LiveRates> {
  const limits = backends.map(({ limit }) => limit)
  return {
    model,
    backends: backends.length,
    up: backends.filter(({ state }) => state === 'up').length,
    in_flight: backends.reduce((sum, { in_flight }) => sum + in_flight, 0),
    limit: limits.includes(null) ? null : limits.reduce<number>((sum, limit) => sum + (limit ?? 0), 0),
  }
}

function ratesOf(all: readonly LiveCounts[] = [], seconds: number): LiveRates {
  const sum = sumOf(all)
  return {
    requests_per_second: sum.requests / seconds,
    ttft_p50_ms: firstTokenQuantile(sum, 0.5),
    ttft_p95_ms: firstTokenQuantile(sum, 0.95),
    tokens_per_second: sum.outputTokens / seconds,
    errors: sum.errors,
    cache_hit_pct: sum.inputTokens === 0 ? null : (sum.cachedTokens / sum.inputTokens) * 100,
  }
}
