import type { CanonicalRequest } from '../canonical/request.ts'
import type { PipeRequest } from '../core/pipe-request.ts'
import type { Target } from '../core/target.ts'
import { certainOverflow } from '../engines/failure/context.ts'
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
