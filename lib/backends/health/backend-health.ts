import type { Clock } from '../../base/clock.ts'
import type { GatewayError } from '../../errors/errors.ts'
import type { Recent } from '../recent.ts'
import type { ClientRequest, RequestKind } from './probe-request.ts'
import type { Probed, ProbeOutcome } from './prober.ts'

/**
 * Why a backend was ejected.
 * - `connection`: connections could not be opened.
 * - `requests`: requests of several accounts failed.
 * - `probe`: requests of one account failed, and so did a probe request.
 * - `health_check`: its health check failed.
 */
export type EjectionReason = 'connection' | 'requests' | 'probe' | 'health_check'

/**
 * How a request ended, as evidence about its backend.
 * - `ok`: the request was served.
 * - `answered`: the backend answered with a refusal, or with a reply that cannot be used.
 * - `neutral`: says nothing about the backend, for example if the client has disconnected.
 */
export type LeaseOutcome = 'ok' | 'answered' | 'neutral'

interface HealthEvents {
  /** The backend was ejected, or serves requests again. */
  readonly onChange: () => void
  readonly onEjected: (reason: EjectionReason) => void
  readonly onProbed: (outcome: ProbeOutcome) => void
  /** A probe request is due after this time. */
  readonly probe: (afterMs: number) => void
}

const FIRST_BACKOFF_MS = 1000
const MAX_BACKOFF_MS = 60_000

/** Minimum time between two probe requests, and between two requests of clients to a backend in reduced use. */
const PAUSE_MS = 1000

/** Decides from requests, probe requests and health checks whether a backend is used (docs/DESIGN.md#ejection). */
export class BackendHealth implements Probed {
  readonly #clock: Clock
  readonly #recent: Recent
  readonly #events: HealthEvents
  readonly #failuresInARow = new FailuresInARow()
  #isHealthy = true
  /** null: the backend serves requests. */
  #ejectedBy: EjectionReason | null = null
  /** While ejected: connections can probably be opened. */
  #canConnect = true
  /** Of the next ejection. */
  #backoffMs = FIRST_BACKOFF_MS
  #isProbing = false
  #probedAt = Number.NEGATIVE_INFINITY
  #triedAt = Number.NEGATIVE_INFINITY
  #failedKind: RequestKind = { path: '/chat/completions', stream: false }
  #failure: GatewayError | null = null

  /** `recent`: counts the failures. */
  constructor(clock: Clock, recent: Recent, events: HealthEvents) {
    this.#clock = clock
    this.#recent = recent
    this.#events = events
  }

  get state(): 'up' | 'unhealthy' | 'ejected' | 'probing' {
    if (this.#ejectedBy === null) return 'up'
    if (!this.#isHealthy) return 'unhealthy'
    return this.#isProbing ? 'probing' : 'ejected'
  }

  get isUsable(): boolean {
    return this.#ejectedBy === null
  }

  /** The backend was ejected for its answers: it may be in reduced use if its model has no other backend. */
  get isReachable(): boolean {
    return this.#isHealthy && this.#canConnect
  }

  /** The error of the last failed request, without content of the request; null: no request has failed. */
  get failure(): GatewayError | null {
    return this.#failure
  }

  /** The kind of the last failed request, which a probe request repeats. */
  get failedKind(): RequestKind {
    return this.#failedKind
  }

  /** In reduced use: true at most once per second, if a request may be sent now. */
  mayTry(): boolean {
    const now = this.#clock.monotonic()
    if (now < this.#triedAt + PAUSE_MS) return false
    this.#triedAt = now
    return true
  }

  /** A request has ended. `isTrial`: it was sent while the backend was ejected. */
  released(outcome: LeaseOutcome, isTrial: boolean): void {
    if (outcome === 'answered') this.#failuresInARow.connected()
    if (outcome !== 'ok') return
    // A request that was sent before the ejection says nothing about the time after it.
    if (this.#ejectedBy !== null && !(isTrial && this.#isHealthy)) return
    this.#failuresInARow.served()
    this.#backoffMs = FIRST_BACKOFF_MS
    this.#readmit()
  }

  unreachable(): void {
    this.#recent.failure(this.#clock.monotonic())
    if (this.#failuresInARow.unreachable() === 'failing') this.#eject('connection')
  }

  refused(account: string): void {
    this.#failuresInARow.refused(account)
  }

  /** A request failed, and the request itself is not known to be the cause. */
  failed(request: ClientRequest, error: GatewayError): void {
    this.#failedKind = { path: request.path, stream: request.stream }
    this.#failure = error
    this.#recent.failure(this.#clock.monotonic())
    const evidence = this.#failuresInARow.failed(request.account)
    if (this.#ejectedBy !== null) return
    if (evidence === 'failing') this.#eject('requests')
    else if (evidence === 'one-account') this.#probeIn(0)
  }

  /** A good check after a bad one readmits a backend that checks ejected. One that requests ejected is probed first. */
  checked(isHealthy: boolean): void {
    const wasHealthy = this.#isHealthy
    this.#isHealthy = isHealthy
    if (!isHealthy) return this.#eject('health_check')
    if (wasHealthy) return
    if (this.#ejectedBy === 'health_check') this.#readmit()
    else if (this.#ejectedBy !== null) this.#probeIn(0)
  }

  // ------------------------------------------------------------ Probed

  probeDue(): boolean {
    // While health checks fail, the next good one decides. A client's request may have been served in the meantime.
    const isDue = this.#ejectedBy === null ? this.#failuresInARow.isSuspicious : this.#isHealthy
    if (!isDue) return false
    this.#probedAt = this.#clock.monotonic()
    this.#isProbing = true
    return true
  }

  probed(outcome: ProbeOutcome): void {
    this.#isProbing = false
    this.#events.onProbed(outcome)
    if (outcome === 'ok') {
      this.#failuresInARow.served()
      if (this.#ejectedBy !== 'health_check') this.#readmit()
    } else if (this.#ejectedBy !== null) {
      this.#canConnect = outcome !== 'unreachable'
      this.#backOff()
    } else if (this.#failuresInARow.isSuspicious) {
      this.#eject('probe')
      this.#canConnect = outcome !== 'unreachable'
    }
  }

  // ------------------------------------------------------------

  #eject(reason: EjectionReason): void {
    if (this.#ejectedBy !== null) return
    this.#ejectedBy = reason
    this.#canConnect = reason !== 'connection'
    if (reason !== 'health_check') this.#backOff()
    this.#events.onEjected(reason)
    this.#events.onChange()
  }

  #readmit(): void {
    if (this.#ejectedBy === null) return
    this.#ejectedBy = null
    this.#events.onChange()
  }

  /** Only a served request of a client resets the backoff. */
  #backOff(): void {
    this.#probeIn(this.#backoffMs)
    this.#backoffMs = Math.min(this.#backoffMs * 2, MAX_BACKOFF_MS)
  }

  #probeIn(ms: number): void {
    const pause = this.#probedAt + PAUSE_MS - this.#clock.monotonic()
    this.#events.probe(Math.max(ms, pause))
  }
}

/** Failures in a row that are evidence about a backend. */
const THRESHOLD = 5

/**
 * Evidence from the last requests of clients.
 * - `none`: not enough failures.
 * - `one-account`: enough failures, but all from one account, whose requests may be the cause.
 * - `failing`: connections cannot be opened, or requests of several accounts fail.
 */
type Evidence = 'none' | 'one-account' | 'failing'

/** Failures in a row at one backend. Only the last account is remembered. */
class FailuresInARow {
  /** Connections in a row that could not be opened, for requests of any account. */
  #unreachable = 0
  /** Other failures in a row. */
  #failures = 0
  /** Of the last failure. */
  #account = ''
  /** Failures at the end of the row by this account. */
  #ofAccount = 0

  get isSuspicious(): boolean {
    return this.#failures >= THRESHOLD
  }

  connected(): void {
    this.#unreachable = 0
  }

  served(): void {
    this.#unreachable = this.#failures = this.#ofAccount = 0
  }

  /** A request of this account was refused. That ends the row if all its failures are of this account. */
  refused(account: string): void {
    if (account === this.#account && this.#ofAccount === this.#failures) this.served()
  }

  unreachable(): Evidence {
    return ++this.#unreachable >= THRESHOLD ? 'failing' : 'none'
  }

  /** A request of this account failed in another way. */
  failed(account: string): Evidence {
    this.#ofAccount = account === this.#account ? this.#ofAccount + 1 : 1
    this.#account = account
    if (++this.#failures < THRESHOLD) return 'none'
    return this.#ofAccount < THRESHOLD ? 'failing' : 'one-account'
  }
}
