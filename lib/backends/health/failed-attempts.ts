import type { BackendFailure } from '../../engines/failure/failure.ts'
import type { GatewayError } from '../../errors/errors.ts'
import type { Backend } from '../backend.ts'
import type { Sender } from './probe-request.ts'

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
