import type { Backend, BackendLease } from '../backends/backend.ts'
import type { ClientRequest } from '../backends/health/probe-request.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import type { PipeRequest, Target } from '../core/slots.ts'
import { certainOverflow } from '../engines/context-window.ts'
import type { BackendFailure } from '../engines/failure/failure.ts'
import { type ErrorCode, GatewayError } from '../errors/errors.ts'
import type { RequestLeases } from './request-leases.ts'

/** Errors of attempts that say that a backend is not there or has no capacity, and that it has not begun with the request. */
const UNSERVED: ReadonlySet<ErrorCode> = new Set([
  'no_healthy_backends',
  'backend_at_capacity',
  'backend_overloaded',
  'backend_connect_error',
])

/** The models that are asked in place of one that cannot serve a request, each once (docs/ROUTING.md#fallback). */
export class Fallback {
  readonly #rest: Target[]
  readonly #request: CanonicalRequest | PipeRequest

  constructor(first: Target, request: CanonicalRequest | PipeRequest) {
    this.#rest = [...(first.fallbacks?.() ?? [])]
    this.#request = request
  }

  /** The next model after this error; undefined: there is none, or the error is not for want of a backend. */
  after(thrown: unknown): Target | undefined {
    if (!(thrown instanceof GatewayError) || !UNSERVED.has(thrown.code)) return undefined
    for (let next = this.#rest.shift(); next !== undefined; next = this.#rest.shift()) {
      if (this.#request.kind === 'pipe' || certainOverflow(this.#request, next.model) === undefined) return next
    }
    return undefined
  }
}

interface FailedAttempt {
  readonly backend: Backend
  readonly failure: BackendFailure
}

/**
 * The failed attempts of one request at one model. Chooses the next attempt by what the last failure says. Backends are told of
 * failures when no attempt follows, because only then it is known who is at fault. A request that fails alike on two backends is
 * at fault itself, unless a third one serves it (docs/DESIGN.md#ejection).
 */
export class Retries {
  readonly #request: CanonicalRequest | PipeRequest
  readonly #leases: RequestLeases
  readonly #source: ClientRequest
  /** Failures that may be the backend's fault. */
  readonly #failed: FailedAttempt[] = []
  readonly #tried = new Set<Backend>()
  #hasLowered = false
  #hasWeakened = false
  #isServed = false

  constructor(request: CanonicalRequest | PipeRequest, leases: RequestLeases, source: ClientRequest) {
    this.#request = request
    this.#leases = leases
    this.#source = source
  }

  add(backend: Backend, failure: BackendFailure): void {
    // No request keeps a connection from being opened.
    if (failure.isConnection === true) backend.health.unreachable()
    else if (failure.penalise) this.#failed.push({ backend, failure })
    else backend.health.refused(this.#source.account)
  }

  /** An attempt has begun to answer. */
  served(): void {
    this.#isServed = true
  }

  /** No further attempt follows. */
  settle(): void {
    for (const { backend, failure } of this.#failed) {
      if (this.#isServed || !this.#failed.some(other => other.backend !== backend && isAlike(other.failure, failure)))
        backend.health.failed(this.#source, failure.error)
    }
  }

  /**
   * A lease for the next attempt. `sentEfforts`: the efforts of the backend's profile when the failed attempt was sent.
   * `isRepeatable`: the body can be sent again.
   * @throws GatewayError to respond with, where no attempt follows
   */
  after(
    backend: Backend,
    failed: BackendFailure,
    { sentEfforts, isRepeatable }: { readonly sentEfforts: readonly string[]; readonly isRepeatable: boolean },
  ): BackendLease {
    return (
      this.#withLowerMaxTokens(backend, failed) ??
      this.#withWeakerEffort(backend, failed, sentEfforts) ??
      this.#elsewhere(backend, failed, isRepeatable)
    )
  }

  /** The prompt fits, and only max_tokens does not: the same backend accepts the request with the rest of its window. */
  #withLowerMaxTokens(backend: Backend, { fittingMaxTokens: fitting }: BackendFailure): BackendLease | undefined {
    const request = this.#request
    if (fitting === undefined || this.#hasLowered || request.kind === 'pipe' || !mayLower(request, fitting))
      return undefined
    this.#hasLowered = true
    const lease = this.#leases.at(backend)
    request.maxTokens = fitting === 'rest' ? undefined : fitting
    return lease
  }

  /** The engine is older than its profile: from now on it is sent the strongest effort that it has named. */
  #withWeakerEffort(
    backend: Backend,
    { acceptedEfforts }: BackendFailure,
    sentEfforts: readonly string[],
  ): BackendLease | undefined {
    if (acceptedEfforts === undefined || this.#hasWeakened) return undefined
    backend.acceptEfforts(acceptedEfforts)
    this.#hasWeakened = true
    // Another request may have learnt the same meanwhile.
    return backend.config.profile.efforts.length < sentEfforts.length ? this.#leases.at(backend) : undefined
  }

  /** Another backend may serve the request. */
  #elsewhere(backend: Backend, failed: BackendFailure, isRepeatable: boolean): BackendLease {
    this.#tried.add(backend)
    if (failed.retry === 'no' || !isRepeatable) throw failed.error
    return this.#leases.next(this.#tried, failed)
  }
}

/** Most engines generate 16 tokens for a text completion without max_tokens, and not up to the end of the window. */
function mayLower({ clampMaxTokens, kind }: CanonicalRequest, fitting: number | 'rest'): boolean {
  return clampMaxTokens && (fitting !== 'rest' || kind === 'chat')
}

function isAlike({ error: one }: BackendFailure, { error: other }: BackendFailure): boolean {
  return one.code === other.code && statusOf(one) === statusOf(other)
}

/** Of the backend's response, if there was one. */
function statusOf({ details: { cause } }: GatewayError): unknown {
  return typeof cause === 'object' && cause !== null && 'status' in cause ? cause.status : undefined
}
