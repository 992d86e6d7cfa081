import type { Clock } from '../base/clock.ts'
import type { Usage } from '../canonical/reply.ts'
import type { BackendConfig } from '../config/config.ts'
import { BackendHealth, type EjectionReason, type LeaseOutcome } from './health/backend-health.ts'
import type { ProbeOutcome } from './health/prober.ts'
import { Places } from './places.ts'
import { Recent } from './recent.ts'

/**
 * - `up`: serves requests.
 * - `ejected`: requests failed.
 * - `unhealthy`: its health check fails.
 * - `probing`: ejected, and a probe request is in flight.
 * - `draining`: cordoned, and requests are in flight.
 * - `drained`: cordoned, and no request is in flight.
 */
export const BACKEND_STATES = ['up', 'unhealthy', 'ejected', 'probing', 'draining', 'drained'] as const
export type BackendState = (typeof BACKEND_STATES)[number]

/**
 * Why a backend is cordoned, that is, sent no new requests.
 * - `file`: `drain` in the configuration.
 * - `weight`: a `weight` of 0 in the configuration.
 * - `operator`: the command `drain`.
 * - `removed`: a reload has removed it.
 */
export type CordonReason = 'file' | 'weight' | 'operator' | 'removed'

/** Events of a backend, for its pool. */
export interface BackendEvents {
  /** The backend was ejected or cordoned, or serves requests again. */
  readonly onChange?: ((backend: Backend) => void) | undefined
  readonly onReleased?: ((backend: Backend) => void) | undefined
  readonly onEjected?: ((backend: Backend, reason: EjectionReason) => void) | undefined
  readonly onProbed?: ((backend: Backend, outcome: ProbeOutcome) => void) | undefined
  /** A probe request is due after this time. */
  readonly probe?: ((backend: Backend, afterMs: number) => void) | undefined
}

/** Load, cordon and health of one backend of one model. Lives until the configuration no longer names it. */
export class Backend {
  /** Id of the model in this gateway. */
  readonly model: string
  /** Base URL without credentials, for metrics and logs. */
  readonly address: string
  readonly recent = new Recent()
  readonly health: BackendHealth
  /** All requests at its server, also of other models, and the limit on them. */
  readonly server: Places
  /** Requests of its model at its server, and the limit on them. */
  readonly places: Places
  readonly #clock: Clock
  readonly #events: BackendEvents
  #config: BackendConfig
  /** As in the file. `#config` may have fewer reasoning efforts. */
  #given: BackendConfig
  #isCordoned = false
  #isRemoved = false

  /** `shared`: its server and its places. Default: it shares neither with other models nor with other processes. */
  constructor(
    model: string,
    config: BackendConfig,
    clock: Clock,
    events: BackendEvents = {},
    shared?: { readonly server: Places; readonly places: Places },
  ) {
    this.model = model
    this.address = addressOf(config.url)
    const host = { clock, store: null }
    this.server = shared?.server ?? new Places('server', host)
    this.places = shared?.places ?? new Places('backend', host)
    this.places.update(config.max_concurrency, false)
    this.#config = config
    this.#given = config
    this.#clock = clock
    this.#events = events
    this.health = new BackendHealth(clock, this.recent, {
      onChange: () => events.onChange?.(this),
      onEjected: reason => events.onEjected?.(this, reason),
      onProbed: outcome => events.onProbed?.(this, outcome),
      probe: afterMs => events.probe?.(this, afterMs),
    })
  }

  get config(): BackendConfig {
    return this.#config
  }

  /** Applies a reloaded configuration. No effect if it has not changed. */
  reconfigure(config: BackendConfig): void {
    if (config === this.#given) return
    this.#given = config
    this.#config = config
  }

  /** The engine has named the reasoning efforts that it accepts. Until the next reload, no others are sent. */
  acceptEfforts(named: readonly string[]): void {
    const { profile } = this.#config
    const efforts = profile.efforts.filter(effort => named.includes(effort))
    if (efforts.length < profile.efforts.length) this.#config = { ...this.#config, profile: { ...profile, efforts } }
  }

  get inFlight(): number {
    return this.places.inFlight
  }

  /** In-flight requests of its server, relative to the backend's weight. */
  get load(): number {
    return this.server.inFlight / this.#config.weight
  }

  /** Requests in flight that it may have; undefined: no limit. */
  get limit(): number | undefined {
    return this.places.limit ?? this.server.limit
  }

  /** It is full in this process only: others may have places. */
  get mayGrow(): boolean {
    return [this.places, this.server].every(places => !places.isFull || places.mayGrow)
  }

  /** A request has found it full. */
  want(): void {
    for (const places of [this.places, this.server]) if (places.isFull) places.want()
  }

  /** A line of a batch has found it full. */
  wantIfFree(): void {
    for (const places of [this.places, this.server]) if (places.isFull) places.wantIfFree()
  }

  get isFull(): boolean {
    return this.places.isFull || this.server.isFull
  }

  /** null: new requests may be sent. */
  get cordon(): CordonReason | null {
    const { drain, weight } = this.#config
    if (this.#isRemoved) return 'removed'
    if (this.#isCordoned) return 'operator'
    if (drain) return 'file'
    return weight > 0 ? null : 'weight'
  }

  /** An operator cordons or uncordons the backend. Requests in flight continue. */
  cordonByOperator(isCordoned: boolean): void {
    if (this.#isCordoned === isCordoned) return
    this.#isCordoned = isCordoned
    this.#events.onChange?.(this)
  }

  /** The configuration no longer names the backend, or names it again. */
  remove(isRemoved: boolean): void {
    this.#isRemoved = isRemoved
  }

  get state(): BackendState {
    if (this.cordon !== null) return this.inFlight > 0 ? 'draining' : 'drained'
    return this.health.state
  }

  /** Milliseconds on the monotonic clock. */
  now(): number {
    return this.#clock.monotonic()
  }

  /** Counts a request in flight until its lease is released. `placement`: gets the first token and the end. */
  acquire(placement?: Placement): BackendLease {
    this.places.take()
    this.server.take()
    this.recent.request(this.#clock.monotonic())
    return new BackendLease(this, !this.health.isUsable, placement)
  }

  /** Called only by BackendLease. `isTrial`: the request was sent while the backend was ejected. */
  released(outcome: LeaseOutcome, isTrial: boolean): void {
    this.places.release()
    this.server.release()
    this.health.released(outcome, isTrial)
    this.#events.onReleased?.(this)
  }
}

/** A request that routing has placed at a backend, from the choice of the backend to the end of its lease. */
export interface Placement {
  /** The first token was received. Only the first call has an effect. */
  begun(): void
  /** The request has ended. Only the first call has an effect. `usage`: of a complete reply. */
  ended(usage: Usage | undefined): void
}

export class BackendLease {
  readonly backend: Backend
  readonly #isTrial: boolean
  readonly #placement: Placement | undefined
  readonly #since: number
  #isAnswering = false
  #isReleased = false

  constructor(backend: Backend, isTrial: boolean, placement: Placement | undefined) {
    this.backend = backend
    this.#isTrial = isTrial
    this.#placement = placement
    this.#since = backend.now()
  }

  /** The first token was received. `isStream`: before the rest of the reply, so its time is that of the prefill. */
  answering(isStream: boolean): void {
    if (this.#isAnswering) return
    this.#isAnswering = true
    const now = this.backend.now()
    if (isStream) this.backend.recent.firstToken(now, now - this.#since)
    this.#placement?.begun()
  }

  /** Only the first call has an effect. `usage`: of a complete reply. */
  release(outcome: LeaseOutcome, usage?: Usage): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#placement?.ended(usage)
    this.backend.released(outcome, this.#isTrial)
  }
}

/** A base URL without credentials, query and trailing slashes. */
export function addressOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname.replace(/\/+$/, '')
}
