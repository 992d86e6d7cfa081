import type { Backend, BackendLease } from '../backends/backend.ts'
import type { ClientRequest } from '../backends/health/probe-request.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import type { PipeRequest, Target } from '../core/slots.ts'
import { certainOverflow } from '../engines/context-window.ts'
import type { BackendFailure } from '../engines/failure/failure.ts'
import { type ErrorCode, GatewayError } from '../errors/errors.ts'
import type { RequestLeases } from './request-leases.ts'

/** Errors of requests that no backend has begun to process, because none can be reached or none has capacity. */
const UNSERVED: ReadonlySet<string> = new Set<ErrorCode>([
  'no_healthy_backends',
  'backend_at_capacity',
  'backend_overloaded',
  'backend_connect_error',
])

/** The fallback models for a request that its own model cannot serve. Each is tried once (docs/ROUTING.md#fallback). */
export class Fallback {
  readonly #rest: Target[]
  readonly #request: CanonicalRequest | PipeRequest

  constructor(first: Target, request: CanonicalRequest | PipeRequest) {
    this.#rest = [...(first.fallbacks?.() ?? [])]
    this.#request = request
  }

  /** The next model after this error; undefined: none is left, or backends are not its reason. */
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
 * The failed attempts of one request at one model. They count against backends only after the last attempt: if two
 * backends fail alike, the request is the cause, unless a third serves it (docs/DESIGN.md#ejection).
 */
export class Retries {
  readonly #request: CanonicalRequest | PipeRequest
  readonly #leases: RequestLeases
  readonly #clientRequest: ClientRequest
  /** Failures that may be the backend's fault. */
  readonly #failed: FailedAttempt[] = []
  readonly #tried = new Set<Backend>()
  #hasLowered = false
  #hasWeakened = false
  #isServed = false

  constructor(request: CanonicalRequest | PipeRequest, leases: RequestLeases, clientRequest: ClientRequest) {
    this.#request = request
    this.#leases = leases
    this.#clientRequest = clientRequest
  }

  add(backend: Backend, failure: BackendFailure): void {
    // A request cannot be the reason why a connection is not opened.
    if (failure.isConnection === true) backend.health.unreachable()
    else if (failure.penalise) this.#failed.push({ backend, failure })
    else if (failure.isLoop !== true) backend.health.refused(this.#clientRequest.account)
  }

  /** An attempt has begun its reply. */
  served(): void {
    this.#isServed = true
  }

  /** The last attempt has ended: reports the failures to the backends. */
  settle(): void {
    for (const { backend, failure } of this.#failed) {
      if (this.#isServed || !this.#failed.some(other => other.backend !== backend && isAlike(other.failure, failure)))
        backend.health.failed(this.#clientRequest, failure.error)
    }
  }

  /**
   * A lease for the next attempt. `sentEfforts`: the profile's efforts at the failed attempt. `isRepeatable`: the body
   * can be sent again. @throws GatewayError to respond with, if no attempt follows
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

  /** The prompt fits, but max_tokens does not: the same backend accepts the request with the rest of its window. */
  #withLowerMaxTokens(backend: Backend, { fittingMaxTokens: fitting }: BackendFailure): BackendLease | undefined {
    const request = this.#request
    if (fitting === undefined || this.#hasLowered || request.kind === 'pipe' || !mayLower(request, fitting))
      return undefined
    this.#hasLowered = true
    const lease = this.#leases.at(backend)
    request.maxTokens = fitting === 'rest' ? undefined : fitting
    return lease
  }

  /** The engine is older than its profile: it is sent the strongest reasoning effort that it accepts. */
  #withWeakerEffort(
    backend: Backend,
    { acceptedEfforts }: BackendFailure,
    sentEfforts: readonly string[],
  ): BackendLease | undefined {
    if (acceptedEfforts === undefined || this.#hasWeakened) return undefined
    backend.acceptEfforts(acceptedEfforts)
    this.#hasWeakened = true
    // Another request may already have changed the profile.
    return backend.config.profile.efforts.length < sentEfforts.length ? this.#leases.at(backend) : undefined
  }

  #elsewhere(backend: Backend, failed: BackendFailure, isRepeatable: boolean): BackendLease {
    this.#tried.add(backend)
    if (failed.retry === 'no' || !isRepeatable) throw failed.error
    return this.#leases.next(this.#tried, failed)
  }
}

/** 'rest' omits max_tokens, but most engines then limit a text completion to 16 tokens. */
function mayLower({ clampMaxTokens, kind }: CanonicalRequest, fitting: number | 'rest'): boolean {
  return clampMaxTokens && (fitting !== 'rest' || kind === 'chat')
}

function isAlike({ error: one }: BackendFailure, { error: other }: BackendFailure): boolean {
  return one.code === other.code && statusOf(one) === statusOf(other)
}

function statusOf({ details: { cause } }: GatewayError): unknown {
  return typeof cause === 'object' && cause !== null && 'status' in cause ? cause.status : undefined
}
