/** Live data of the page Overview: the state of each backend, and the last hour in points of five seconds. */
import type { ListedBackend } from '../../backends/backend-list.ts'
import type { Clock } from '../../base/clock.ts'
import type { Config } from '../../config/config.ts'
import { type BackendCounts, type Failure, type LivePeriod, MAX_FAILURES } from './counts.ts'
import type { ListedGateway } from './fleet.ts'
import { type QueueFacts, sumQueues } from './queues.ts'
import { type LiveModel, type LivePoint, type LiveRates, modelOf, pointOf, ratesOf } from './rates.ts'
import { type SpareFacts, sumSpare } from './spare.ts'

const INTERVAL_MS = 5000
const HOUR_POINTS = 3_600_000 / INTERVAL_MS
/** Rates and times of a backend cover this number of points. */
const MINUTE_POINTS = 60_000 / INTERVAL_MS

/** Models with points of their own. A model has points if it was requested in the last hour. */
const MAX_MODELS = 64

/** A backend of a model. */
export interface LiveRow
  extends LiveRates,
    Pick<
      ListedBackend,
      'model' | 'url' | 'state' | 'drain' | 'problem' | 'in_flight' | 'limit' | 'beliefs' | 'machines'
    > {}

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
  config(): Pick<Config, 'models'>
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
  #queues: readonly QueueFacts[] = []
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
      this.#queues = sumQueues(processes.flatMap(period => period.queues ?? []))
      this.#minute = [...this.#minute, counts].slice(-MINUTE_POINTS)
      const failures = processes.flatMap(period => period.failures).toSorted((a, b) => b.at - a.at)
      this.#failures = [...failures, ...this.#failures].slice(0, MAX_FAILURES)
      const point = pointOf(clock.now() / 1000, counts, listed, this.#queues, INTERVAL_MS / 1000)
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
      const point = pointOf(now, own, backends, this.#queuesOf(model), INTERVAL_MS / 1000)
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

  #queuesOf(model: string): readonly QueueFacts[] {
    return this.#queues.filter(queue => queue.model === model)
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
    const limits = new Map(this.#options.config().models.map(({ id, max_concurrency: limit }) => [id, limit]))
    const modelRows = Array.from(
      Map.groupBy(listed, ({ model }) => model),
      ([model, backends]) => ({
        ...modelOf(model, limits.get(model), backends, this.#queuesOf(model)),
        ...ratesOf(ofModels.get(model), seconds),
      }),
    )
    return { rows, modelRows, gateways, failures: this.#failures, unready: this.#options.unready() }
  }
}

function keyOf(model: string | null, backend: string | null): string {
  return `${model} ${backend}`
}
