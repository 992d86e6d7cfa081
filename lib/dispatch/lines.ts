/** Lines of batches at backends: they wait at the gate, and give their places to interactive requests. */
import type { Placement } from '../backends/backend.ts'
import { type After, afterTimeout } from '../backends/health/prober.ts'
import type { Backend, BackendPool } from '../backends/pool.ts'
import type { Metrics } from '../base/metrics.ts'
import type { BatchesConfig } from '../config/config.ts'
import type { UpstreamWork } from '../core/upstream.ts'
import type { Prompt } from '../routing/prompt.ts'
import type { Routing } from '../routing/routing.ts'
import { LineGate, type WaitingLine } from '../routing/spare/line-gate.ts'
import { maxLines } from '../routing/spare/rule.ts'

/** How often a backend without a place in this process is asked for one of other processes. */
const WANT_MS = 250
/** A line is cancelled so long before its place is needed at the latest. */
const CANCEL_MS = 250
/** How long an interactive request waits for the place of a line, if its model has no queue. */
export const MAX_WAIT_MS = 10_000

interface LinesOptions {
  readonly pool: BackendPool
  readonly routing: Routing
  readonly metrics: Metrics
  /** Default: a timer. */
  readonly after?: After
  /** Milliseconds on the monotonic clock. */
  now(): number
}

/** A line that is to be sent. */
export interface LineRequest {
  readonly model: string
  readonly zdr: boolean
  readonly prompt: Prompt
  /** Sends it. `place` counts it at the backend. */
  send(backend: Backend, place: () => Placement): void
  /** The line begins to wait, and `work` cancels the wait; null: the wait has ended. */
  onWait(work: UpstreamWork | null): void
  cancelled(): void
  failed(error: unknown): void
  /** Cancels the line while it runs; undefined: it keeps its place. */
  readonly preempt: (() => void) | undefined
}

interface RunningLine {
  readonly model: string
  readonly backend: Backend
  readonly preempt: (() => void) | undefined
}

/** The lines of all models. They outlive reloads. */
export class Lines {
  readonly gate: LineGate
  readonly #options: LinesOptions
  readonly #after: After
  #config: BatchesConfig | undefined
  /** The oldest first. */
  readonly #running = new Set<RunningLine>()
  #wantedAt = Number.NEGATIVE_INFINITY

  constructor(options: LinesOptions) {
    const { pool, routing, metrics, after = afterTimeout } = options
    this.#options = options
    this.#after = after
    this.gate = new LineGate({
      after,
      limits: () => this.#config,
      usable: (model, zdr) => pool.usable(model, zdr),
      waiting: model => pool.waiting(model),
      modelPlaces: model => this.#modelPlaces(model),
      of: model => routing.spare(model),
      full: backends => this.#want(backends),
    })
    const { gate } = this
    metrics.gauge({
      name: 'sluiceway_batch_spare_slots',
      help: 'Lines of batches that could be sent to backends now.',
      labelNames: ['model'],
      collect() {
        this.reset()
        for (const model of gate.models()) this.set({ model }, gate.spareSlots(model))
      },
    })
    routing.watchLines(
      model => gate.changed(model),
      ({ server }) => this.#preempt(line => line.backend.server === server),
    )
  }

  /** undefined: the configuration has no batches. */
  update(config: BatchesConfig | undefined): void {
    this.#config = config
    this.#options.routing.isCounting = config !== undefined
  }

  enter(request: LineRequest): void {
    const { model, zdr, prompt } = request
    const leave = () => {
      this.gate.leave(model, line)
      request.onWait(null)
    }
    const line: WaitingLine = {
      zdr,
      prompt,
      send: backend => {
        request.onWait(null)
        try {
          request.send(backend, () => this.#placed(request, backend))
        } catch (thrown) {
          request.failed(thrown)
        }
      },
      previous: null,
      next: null,
      isListed: false,
    }
    request.onWait({
      cancel: () => {
        leave()
        request.cancelled()
      },
      fail: error => {
        leave()
        request.failed(error)
      },
    })
    this.gate.enter(model, line)
  }

  /** Whether lines have places that an interactive request of this model could use. */
  holdPlaces(model: string, zdr: boolean): boolean {
    const spare = this.#options.routing.spare(model)
    return this.#options.pool.usable(model, zdr).some(backend => spare.linesAt(backend) > 0)
  }

  /**
   * An interactive request has found no place, and waits for `maxMs` at most. Cancels the youngest line that has one
   * before this time is over, or at once with `preempt`. Returns a function that ends it.
   */
  makeRoom(model: string, zdr: boolean, maxMs: number): () => void {
    const ms = this.#config?.preempt ? 0 : Math.max(maxMs / 2, maxMs - CANCEL_MS)
    return this.#after(ms, () => this.#takePlace(model, zdr))
  }

  close(): void {
    this.gate.close()
  }

  #takePlace(model: string, zdr: boolean): void {
    const { pool, routing } = this.#options
    const isModelFull = pool.placesOf(model)?.isFull ?? false
    const backends = pool.usable(model, zdr)
    const servers = new Set(backends.map(backend => backend.server))
    if (this.#preempt(line => (isModelFull ? line.model === model : servers.has(line.backend.server)))) return
    const spare = routing.spare(model)
    const [most] = backends.toSorted((one, other) => spare.linesAt(other) - spare.linesAt(one))
    if (most !== undefined) routing.wantPlace(most)
  }

  /** Cancels the youngest of these lines of this process. False: there is none. */
  #preempt(isOne: (line: RunningLine) => boolean): boolean {
    const youngest = [...this.#running].findLast(line => line.preempt !== undefined && isOne(line))
    if (youngest === undefined) return false
    // It is cancelled once.
    this.#running.delete(youngest)
    youngest.preempt!()
    return true
  }

  /** Counts a line as running until it ends. */
  #placed({ model, prompt, preempt }: LineRequest, backend: Backend): Placement {
    const placement = this.#options.routing.spare(model).place(backend, prompt)
    const line = { model, backend, preempt }
    this.#running.add(line)
    return {
      begun: () => placement.begun(),
      ended: usage => {
        this.#running.delete(line)
        placement.ended(usage)
      },
    }
  }

  /** How many more lines the limit of the model as a whole allows. */
  #modelPlaces(model: string): number {
    const { pool, routing } = this.#options
    const places = pool.placesOf(model)
    if (places === undefined || this.#config === undefined) return 0
    if (places.limit === undefined) return Number.POSITIVE_INFINITY
    if (places.isFull) return 0
    const spare = routing.spare(model)
    const lines = pool.usable(model, false).reduce((sum, backend) => sum + spare.linesAt(backend), 0)
    return maxLines(this.#config, places.limit, this.gate.isOffline(model)) - lines
  }

  #want(backends: readonly Backend[]): void {
    const now = this.#options.now()
    if (now - this.#wantedAt < WANT_MS) return
    this.#wantedAt = now
    for (const backend of backends) backend.wantIfFree()
  }
}
