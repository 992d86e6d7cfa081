import type { Clock } from '../base/clock.ts'
import type { Usage } from '../canonical/reply.ts'
import type { BackendConfig } from '../config/config.ts'
import { CircuitBreaker } from './breaker.ts'
import type { Placement } from './routing/placement.ts'

/**
 * - `ok`: a usable response, the refusal of a request included.
 * - `failed`: counts towards ejection.
 * - `neutral`: proves nothing about the backend, as when the client has disconnected.
 */
export type LeaseOutcome = 'ok' | 'failed' | 'neutral'

/**
 * - `up`: the circuit breaker is closed.
 * - `ejected`: it was opened by failed requests.
 * - `unhealthy`: it was opened, or is kept open, by health checks.
 * - `probing`: it is half-open, and the next request is the probe request.
 */
export type BackendState = 'up' | 'unhealthy' | 'ejected' | 'probing'

/** Load and health of one backend of one model, for as long as the configuration names it. */
export class Backend {
  /** Id of the model in this gateway. */
  readonly model: string
  /** Base URL without credentials, for metrics and logs. */
  readonly address: string
  readonly #clock: Clock
  readonly #onChange: (backend: Backend) => void
  readonly #breaker = new CircuitBreaker()
  #config: BackendConfig
  #healthy = true
  /** The circuit breaker was opened by a health check, not by failed requests. */
  #ejectedByCheck = false
  #inFlight = 0

  constructor(model: string, config: BackendConfig, clock: Clock, onChange: (backend: Backend) => void) {
    const { origin, pathname } = new URL(config.url)
    this.model = model
    this.address = origin + pathname.replace(/\/+$/, '')
    this.#config = config
    this.#clock = clock
    this.#onChange = onChange
  }

  get config(): BackendConfig {
    return this.#config
  }

  /** Applies a reloaded configuration. */
  reconfigure(config: BackendConfig): void {
    this.#config = config
  }

  /**
   * The server has named these reasoning efforts: of those in the profile, no others are sent until the configuration is
   * reloaded.
   */
  acceptEfforts(named: readonly string[]): void {
    const { profile } = this.#config
    const efforts = profile.efforts.filter(effort => named.includes(effort))
    if (efforts.length < profile.efforts.length) this.#config = { ...this.#config, profile: { ...profile, efforts } }
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** In-flight requests, relative to the backend's weight. */
  get load(): number {
    return this.#inFlight / this.#config.weight
  }

  get state(): BackendState {
    if (!this.#breaker.isOpen) return 'up'
    if (this.#breaker.allows(this.#clock.monotonic())) return 'probing'
    return this.#healthy ? 'ejected' : 'unhealthy'
  }

  /** The circuit breaker allows a request. */
  isUsable(now: number): boolean {
    return this.#breaker.allows(now)
  }

  get isFull(): boolean {
    const most = this.#config.max_concurrency
    return most !== undefined && this.#inFlight >= most
  }

  /** Counts one in-flight request. The lease must be released, whatever happens. `placement`: the request as it is routed. */
  acquire(placement?: Placement): BackendLease {
    this.#inFlight++
    return new BackendLease(this, this.#breaker.start(this.#clock.monotonic()), placement)
  }

  /** Called by its lease only: the response to the probe request has begun well. */
  responded(): void {
    const before = this.#breaker.isOpen
    this.#breaker.probeResponded()
    if (this.#breaker.isOpen !== before) this.#onChange(this)
  }

  /** Called by its lease only. */
  released(outcome: LeaseOutcome, isProbe: boolean): void {
    this.#inFlight--
    const before = this.#breaker.isOpen
    if (outcome === 'ok') this.#breaker.succeeded(isProbe)
    else if (outcome === 'failed') this.#breaker.failed(isProbe, this.#clock.monotonic())
    else if (isProbe) this.#breaker.halfOpen(this.#clock.monotonic())
    if (this.#breaker.isOpen !== before) this.#onChange(this)
  }

  /**
   * Takes the result of a health check. A failed check ejects the backend as failed requests do (docs/DESIGN.md#ejection).
   * The first good one afterwards closes the circuit breaker if a check has opened it, and makes it half-open if failed
   * requests have: a health route may work although requests fail.
   */
  checked(healthy: boolean): void {
    const now = this.#clock.monotonic()
    const before = this.#breaker.isOpen
    if (!healthy) {
      this.#ejectedByCheck ||= !before
      this.#breaker.open(now)
    } else if (!this.#healthy) {
      if (this.#ejectedByCheck) this.#breaker.succeeded(true)
      else this.#breaker.halfOpen(now)
      this.#ejectedByCheck = false
    }
    this.#healthy = healthy
    if (this.#breaker.isOpen !== before) this.#onChange(this)
  }
}

/** One in-flight request of a backend. */
export class BackendLease {
  readonly backend: Backend
  /** The probe request of an ejected backend, as long as its response has not begun. */
  #isProbe: boolean
  readonly #placement: Placement | undefined
  #released = false

  constructor(backend: Backend, isProbe: boolean, placement?: Placement) {
    this.backend = backend
    this.#isProbe = isProbe
    this.#placement = placement
  }

  /** The first token has come: the request no longer waits for its prefill. Further calls do nothing. */
  answering(): void {
    this.#placement?.begun()
  }

  /** The response has begun well: an ejected backend may serve other requests. The lease is still held. */
  responded(): void {
    if (!this.#isProbe || this.#released) return
    this.#isProbe = false
    this.backend.responded()
  }

  /** Only the first call counts. `usage`: of a complete reply. */
  release(outcome: LeaseOutcome, usage?: Usage): void {
    if (this.#released) return
    this.#released = true
    this.#placement?.ended(usage)
    this.backend.released(outcome, this.#isProbe)
  }
}
