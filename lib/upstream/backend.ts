import type { Clock } from '../base/clock.ts'
import type { BackendConfig } from '../config/config.ts'
import { Breaker } from './breaker.ts'

/** ok: a usable answer, a refusal included. failed: counts towards ejection. neutral: says nothing, as when the client left. */
export type LeaseOutcome = 'ok' | 'failed' | 'neutral'

/** unhealthy: ejected by a health check. ejected: by failed requests. probing: ejected, and the next request tries it. */
export type BackendState = 'up' | 'unhealthy' | 'ejected' | 'probing'

/** What is known about one backend of one model, for as long as the configuration names it. */
export class Backend {
  /** Id of the model it serves here. */
  readonly model: string
  /** Its address without credentials, for metrics and logs. */
  readonly address: string
  readonly #clock: Clock
  readonly #onChange: (backend: Backend) => void
  readonly #breaker = new Breaker()
  #config: BackendConfig
  #healthy = true
  /** The breaker was opened by a health check, not by failed requests. */
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

  /** The same backend under a reloaded configuration. */
  reconfigure(config: BackendConfig): void {
    this.#config = config
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** How busy it is for its size. */
  get load(): number {
    return this.#inFlight / this.#config.weight
  }

  get state(): BackendState {
    if (!this.#breaker.open) return 'up'
    if (this.#breaker.permits(this.#clock.monotonic())) return 'probing'
    return this.#healthy ? 'ejected' : 'unhealthy'
  }

  /** May be sent a request, as far as its health goes. */
  isUsable(now: number): boolean {
    return this.#breaker.permits(now)
  }

  get isFull(): boolean {
    const most = this.#config.max_concurrency
    return most !== undefined && this.#inFlight >= most
  }

  /** Takes a place for one request. The lease must be released, whatever happens. */
  acquire(): BackendLease {
    this.#inFlight++
    return new BackendLease(this, this.#breaker.begin(this.#clock.monotonic()))
  }

  /** Called by its lease only: a probe's answer has begun well. */
  answered(): void {
    const before = this.#breaker.open
    this.#breaker.probeAnswered()
    if (this.#breaker.open !== before) this.#onChange(this)
  }

  /** Called by its lease only: the place is free again. */
  released(outcome: LeaseOutcome, isProbe: boolean): void {
    this.#inFlight--
    const before = this.#breaker.open
    if (outcome === 'ok') this.#breaker.succeeded(isProbe)
    else if (outcome === 'failed') this.#breaker.failed(isProbe, this.#clock.monotonic())
    else if (isProbe) this.#breaker.probeNow(this.#clock.monotonic())
    if (this.#breaker.open !== before) this.#onChange(this)
  }

  /**
   * The result of a health check. A bad one ejects the backend as failed requests do (docs/DESIGN.md#ejection). A good
   * one readmits what a check has ejected. A backend that failed requests have ejected gets one request as a probe at once,
   * without waiting for the end of its backoff.
   */
  checked(healthy: boolean): void {
    const now = this.#clock.monotonic()
    const before = this.#breaker.open
    if (!healthy) {
      this.#ejectedByCheck ||= !before
      this.#breaker.eject(now)
    } else if (!this.#healthy) {
      if (this.#ejectedByCheck) this.#breaker.succeeded(true)
      else this.#breaker.probeNow(now)
      this.#ejectedByCheck = false
    }
    this.#healthy = healthy
    if (this.#breaker.open !== before) this.#onChange(this)
  }
}

/** One request's place at a backend. */
export class BackendLease {
  readonly backend: Backend
  /** It was let through to try an ejected backend, and that backend's fate still hangs on it. */
  #isProbe: boolean
  #released = false

  constructor(backend: Backend, isProbe: boolean) {
    this.backend = backend
    this.#isProbe = isProbe
  }

  /** The answer began well. The place stays taken; a backend that was on trial serves others again. */
  answered(): void {
    if (!this.#isProbe || this.#released) return
    this.#isProbe = false
    this.backend.answered()
  }

  /** Gives the place back. Only the first call counts. */
  release(outcome: LeaseOutcome): void {
    if (this.#released) return
    this.#released = true
    this.backend.released(outcome, this.#isProbe)
  }
}
