import type { Clock } from '../base/clock.ts'
import type { BackendConfig } from '../config/config.ts'
import type { GatewayError } from '../errors/errors.ts'
import { addressOf, Drain, type DrainReason } from './drain.ts'
import { FailuresInARow } from './health/failures-in-a-row.ts'
import type { Asked, Sender } from './health/probe-request.ts'
import type { Probed, ProbeOutcome } from './health/prober.ts'
import { Lease, type LeaseOutcome, type Placement, Recent } from './lease.ts'

export type BackendLease = Lease<Backend>

/**
 * - `up`: serves requests.
 * - `ejected`: requests failed.
 * - `unhealthy`: its health check fails.
 * - `probing`: ejected, and a probe request is under way.
 * - `draining`: it is sent no new requests, and some are in flight.
 * - `drained`: it is sent no new requests, and none is in flight.
 */
export const BACKEND_STATES = ['up', 'unhealthy', 'ejected', 'probing', 'draining', 'drained'] as const
export type BackendState = (typeof BACKEND_STATES)[number]

/**
 * Why a backend was ejected: connections could not be opened; requests of several accounts failed; requests of one account
 * failed, and so did a probe request; its health check failed.
 */
export type EjectionReason = 'connection' | 'requests' | 'probe' | 'health_check'

/** What a backend tells its pool. */
export interface BackendEvents {
  /** The backend was ejected, or serves requests again. */
  readonly onChange?: ((backend: Backend) => void) | undefined
  /** A request has left it. */
  readonly onReleased?: ((backend: Backend) => void) | undefined
  readonly onEjected?: ((backend: Backend, reason: EjectionReason) => void) | undefined
  readonly onProbed?: ((backend: Backend, outcome: ProbeOutcome) => void) | undefined
  /** A probe request is due after this time. */
  readonly probe?: ((backend: Backend, afterMs: number) => void) | undefined
}

const FIRST_BACKOFF_MS = 1000
const MAX_BACKOFF_MS = 60_000

/** Least time between two probe requests, and between two requests of clients to a backend in reduced use. */
const PAUSE_MS = 1000

/** Load and health of one backend of one model, for as long as the configuration names it. */
export class Backend implements Probed {
  /** Id of the model in this gateway. */
  readonly model: string
  /** Base URL without credentials, for metrics and logs. */
  readonly address: string
  readonly #clock: Clock
  readonly #events: BackendEvents
  readonly #failuresInARow = new FailuresInARow()
  #config: BackendConfig
  /** As the configuration has it: the engine may have turned out to be different. */
  #given: BackendConfig
  #inFlight = 0
  readonly recent = new Recent()
  readonly #drain = new Drain()
  #healthy = true
  /** null: serves requests. */
  #ejectedBy: EjectionReason | null = null
  /** While ejected: connections to it can be opened, as far as is known. */
  #isReachable = true
  /** Of the next ejection. */
  #backoffMs = FIRST_BACKOFF_MS
  #isProbing = false
  #probedAt = Number.NEGATIVE_INFINITY
  #triedAt = Number.NEGATIVE_INFINITY
  /** What the last request that failed was like. */
  #asked: Asked = { path: '/chat/completions', stream: false }
  /** With which it failed. Names nothing of the request. */
  #failure: GatewayError | null = null

  constructor(model: string, config: BackendConfig, clock: Clock, events: BackendEvents = {}) {
    this.model = model
    this.address = addressOf(config.url)
    this.#config = config
    this.#given = config
    this.#clock = clock
    this.#events = events
  }

  get config(): BackendConfig {
    return this.#config
  }

  /** Applies a reloaded configuration. One that has been applied before changes nothing. */
  reconfigure(config: BackendConfig): void {
    if (config === this.#given) return
    this.#given = config
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

  /** null: it takes requests, as far as it is healthy. */
  get drain(): DrainReason | null {
    return this.#drain.reason(this.#config)
  }

  /** Requests in flight go on; there are no new ones. */
  drainByOperator(drained: boolean): void {
    if (this.#drain.byOperator === drained) return
    this.#drain.byOperator = drained
    this.#events.onChange?.(this)
  }

  /** The configuration no longer names it, or names it again. */
  remove(removed: boolean): void {
    this.#drain.removed = removed
  }

  /** Milliseconds on the monotonic clock. */
  now(): number {
    return this.#clock.monotonic()
  }

  get state(): BackendState {
    if (this.drain !== null) return this.#inFlight > 0 ? 'draining' : 'drained'
    if (this.#ejectedBy === null) return 'up'
    if (!this.#healthy) return 'unhealthy'
    return this.#isProbing ? 'probing' : 'ejected'
  }

  /** The backend has not been ejected. */
  get isUsable(): boolean {
    return this.#ejectedBy === null
  }

  get isFull(): boolean {
    const most = this.#config.max_concurrency
    return most !== undefined && this.#inFlight >= most
  }

  /** Ejected because of its answers: it may be in reduced use where a model has no other backend. */
  get isReachable(): boolean {
    return this.#healthy && this.#isReachable
  }

  /** The error of the last request that failed; null: none has. */
  get failure(): GatewayError | null {
    return this.#failure
  }

  /** What a probe request asks: the same as the last request that failed. */
  get asked(): Asked {
    return this.#asked
  }

  /** In reduced use: whether a request may be sent now. Then no other may for a second. */
  mayTry(): boolean {
    const now = this.#clock.monotonic()
    if (now < this.#triedAt + PAUSE_MS) return false
    this.#triedAt = now
    return true
  }

  /** Counts one in-flight request. The lease must be released, whatever happens. `placement`: the request as it is routed. */
  acquire(placement?: Placement): BackendLease {
    this.#inFlight++
    this.recent.request(this.#clock.monotonic())
    return new Lease(this, this.#ejectedBy !== null, placement)
  }

  /** Called by its lease only. `isTrial`: the request was sent although the backend had been ejected. */
  released(outcome: LeaseOutcome, isTrial: boolean): void {
    this.#inFlight--
    this.#judge(outcome, isTrial)
    this.#events.onReleased?.(this)
  }

  #judge(outcome: LeaseOutcome, isTrial: boolean): void {
    if (outcome === 'answered') this.#failuresInARow.connected()
    if (outcome !== 'ok') return
    // A request from before the ejection says nothing about the time after it.
    if (this.#ejectedBy !== null && !(isTrial && this.#healthy)) return
    this.#failuresInARow.served()
    this.#backoffMs = FIRST_BACKOFF_MS
    this.#readmit()
  }

  /** No connection could be opened for a request. */
  unreachable(): void {
    this.recent.failure(this.#clock.monotonic())
    if (this.#failuresInARow.unreachable() === 'failing') this.#eject('connection')
  }

  /** A request was refused. */
  refused(account: string): void {
    this.#failuresInARow.refused(account)
  }

  /** A request failed, in a way that is not the request's fault as far as is known. */
  failed(sender: Sender, error: GatewayError): void {
    this.#asked = { path: sender.path, stream: sender.stream }
    this.#failure = error
    this.recent.failure(this.#clock.monotonic())
    const finding = this.#failuresInARow.failed(sender.account)
    if (this.#ejectedBy !== null) return
    if (finding === 'failing') this.#eject('requests')
    else if (finding === 'one-account') this.#probeIn(0)
  }

  /**
   * Takes the result of a health check (docs/DESIGN.md#ejection). The first good one after failed ones readmits the backend if
   * a check has ejected it, and makes a probe request due if requests have: a health route may work although requests fail.
   */
  checked(healthy: boolean): void {
    const wasHealthy = this.#healthy
    this.#healthy = healthy
    if (!healthy) return this.#eject('health_check')
    if (wasHealthy) return
    if (this.#ejectedBy === 'health_check') this.#readmit()
    else if (this.#ejectedBy !== null) this.#probeIn(0)
  }

  // ------------------------------------------------------------ Probed

  probeDue(): boolean {
    // The health check readmits a backend that fails it. A client's request may have been served meanwhile.
    const isDue = this.#ejectedBy === null ? this.#failuresInARow.isSuspicious : this.#healthy
    if (!isDue) return false
    this.#probedAt = this.#clock.monotonic()
    this.#isProbing = true
    return true
  }

  probed(outcome: ProbeOutcome): void {
    this.#isProbing = false
    this.#events.onProbed?.(this, outcome)
    if (outcome === 'ok') {
      this.#failuresInARow.served()
      if (this.#ejectedBy !== 'health_check') this.#readmit()
    } else if (this.#ejectedBy !== null) {
      this.#isReachable = outcome !== 'unreachable'
      this.#backOff()
    } else if (this.#failuresInARow.isSuspicious) {
      this.#eject('probe')
      this.#isReachable = outcome !== 'unreachable'
    }
  }

  // ------------------------------------------------------------

  #eject(reason: EjectionReason): void {
    if (this.#ejectedBy !== null) return
    this.#ejectedBy = reason
    this.#isReachable = reason !== 'connection'
    if (reason !== 'health_check') this.#backOff()
    this.#events.onEjected?.(this, reason)
    this.#events.onChange?.(this)
  }

  #readmit(): void {
    if (this.#ejectedBy === null) return
    this.#ejectedBy = null
    this.#events.onChange?.(this)
  }

  /** Only a request of a client that is served makes the backoff short again. */
  #backOff(): void {
    this.#probeIn(this.#backoffMs)
    this.#backoffMs = Math.min(this.#backoffMs * 2, MAX_BACKOFF_MS)
  }

  #probeIn(ms: number): void {
    const pause = this.#probedAt + PAUSE_MS - this.#clock.monotonic()
    this.#events.probe?.(this, Math.max(ms, pause))
  }
}
