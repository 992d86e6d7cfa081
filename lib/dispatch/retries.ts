import type { Backend } from '../backends/backend.ts'
import type { Sender } from '../backends/health/probe-request.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import type { PipeRequest } from '../core/pipe-request.ts'
import type { Target } from '../core/target.ts'
import { certainOverflow } from '../engines/failure/context.ts'
import type { BackendFailure } from '../engines/failure/failure.ts'
import { type ErrorCode, GatewayError } from '../errors/errors.ts'

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
 * The attempts of one request that have failed, until it is known who is at fault. A request that fails alike on two backends
 * is at fault itself, unless a third one serves it (docs/DESIGN.md#ejection).
 */
export class FailedAttempts {
  /** A later attempt has begun to answer. */
  isServed = false
  readonly #attempts: FailedAttempt[] = []

  /** settle() is due. */
  get hasAny(): boolean {
    return this.#attempts.length > 0
  }

  /** `account`: that of the sender. */
  add(backend: Backend, failure: BackendFailure, account: string): void {
    // No request keeps a connection from being opened.
    if (failure.isConnection === true) backend.unreachable()
    else if (failure.penalise) this.#attempts.push({ backend, failure })
    else backend.refused(account)
  }

  /** No further attempt follows. */
  settle(sender: Sender): void {
    for (const { backend, failure } of this.#attempts) {
      if (this.isServed || !this.#attempts.some(other => other.backend !== backend && isAlike(other.failure, failure)))
        backend.failed(sender, failure.error)
    }
  }
}

function isAlike({ error: one }: BackendFailure, { error: other }: BackendFailure): boolean {
  return one.code === other.code && statusOf(one) === statusOf(other)
}

/** Of the backend's response, if there was one. */
function statusOf({ details: { cause } }: GatewayError): unknown {
  return typeof cause === 'object' && cause !== null && 'status' in cause ? cause.status : undefined
}
