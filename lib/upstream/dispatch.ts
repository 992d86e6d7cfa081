import { Blocks } from '../body/blocks.ts'
import { SCAN_ABOVE_BYTES } from '../body/intake.ts'
import { jsonPieces } from '../body/json-pieces.ts'
import { outgoing } from '../body/outgoing.ts'
import type { ReplyContext } from '../canonical/format.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import type { Config } from '../config/config.ts'
import type { Exchange } from '../core/exchange.ts'
import { chat, formatOptions, target } from '../core/slots.ts'
import type { Target } from '../core/target.ts'
import { failure, type GatewayError } from '../errors/errors.ts'
import { Attempt } from './attempt.ts'
import { backendBody } from './encode/request.ts'
import type { BackendFailure, FailureContext } from './failure.ts'
import type { Backend, BackendPool } from './pool.ts'
import { BackendClient } from './proxy-call.ts'

export interface DispatchOptions {
  readonly config: Config
  readonly pool: BackendPool
  /** What stands in a body for its detached texts (lib/body/detach.ts). */
  readonly mark: string
  /** Another backend is tried. */
  onRetry(model: string): void
}

/** Sends exchanges to backends. One lives as long as its configuration. */
export class Dispatcher {
  readonly #options: DispatchOptions
  readonly #clients = new Map<Backend, BackendClient>()
  readonly #blocks = new Blocks()

  constructor(options: DispatchOptions) {
    this.#options = options
  }

  /**
   * Resolves once the reply is on its way to the client or the client is gone. Throws the GatewayError to answer with
   * when no backend took the request; another one is tried only while the client has been sent nothing.
   */
  async dispatch(exchange: Exchange): Promise<void> {
    const request = exchange.get(chat)
    const goal = exchange.get(target)
    exchange.streaming = request.stream
    exchange.lease = this.#options.pool.admit(goal.model)
    const head = this.#head(exchange, request, goal)
    const tried = new Set<Backend>()
    let clamped = false
    let last: BackendFailure | undefined
    for (;;) {
      const backend = this.#pick(goal, tried, last)
      last = await this.#attempt(exchange, request, goal, head, backend)
      if (last === undefined || exchange.gone) return
      if (last.room !== undefined && !clamped && mayTakeRoom(request, last.room)) {
        clamped = true
        // The prompt fits and only max_tokens does not: the same backend takes the request with what is left.
        request.maxTokens = last.room === 'rest' ? undefined : last.room
        continue
      }
      tried.add(backend)
      if (last.retry === 'no') throw last.error
    }
  }

  close(): void {
    for (const client of this.#clients.values()) client.close()
  }

  /** The next backend. After a failure: one that has not been tried, if there is one and the budget allows it. */
  #pick({ model, zdr }: Target, tried: ReadonlySet<Backend>, last: BackendFailure | undefined): Backend {
    const { pool } = this.#options
    if (last === undefined || tried.size === 0) return pool.pick(model, zdr)
    let next: Backend
    try {
      next = pool.pick(model, zdr, tried)
    } catch {
      // A 503 that is not about a queue, and no backend left to try (docs/DESIGN.md#backend-errors).
      throw last.unavailable === true ? noneLeft(model.id) : last.error
    }
    if (!pool.takeRetry(model)) throw last.error
    this.#options.onRetry(model.id)
    return next
  }

  async #attempt(
    exchange: Exchange,
    request: CanonicalRequest,
    goal: Target,
    head: ReplyContext,
    backend: Backend,
  ): Promise<BackendFailure | undefined> {
    const { config } = this.#options
    const lease = backend.acquire()
    try {
      exchange.backend = backend.address
      const context: FailureContext = {
        model: goal.model,
        profile: backend.config.profile,
        models: goal.alternatives(),
      }
      const json = backendBody(request, goal.model, backend.config)
      const isLarge = exchange.bodyBytes > SCAN_ABOVE_BYTES
      const pieces = isLarge ? await jsonPieces(json) : [JSON.stringify(json)]
      const made = outgoing(pieces, this.#options.mark, exchange.detached, this.#blocks)
      const body = made instanceof Promise ? await made : made
      if (exchange.gone) {
        lease.release('neutral')
        return undefined
      }
      const plan = { timeouts: config.timeouts, context, lease, client: this.#client(backend), head }
      return await new Attempt(exchange, plan, body).run()
    } catch (thrown) {
      lease.release('neutral')
      throw thrown
    }
  }

  #head(exchange: Exchange, request: CanonicalRequest, goal: Target): ReplyContext {
    return {
      id: exchange.id.replaceAll('-', ''),
      created: Math.floor(exchange.startedAt / 1000),
      model: goal.model.id,
      request,
      options: exchange.find(formatOptions) ?? this.#options.config.formats,
      errorBody: error => exchange.errorBody(error),
    }
  }

  #client(backend: Backend): BackendClient {
    let client = this.#clients.get(backend)
    if (client === undefined) {
      client = new BackendClient(backend.config, this.#options.config.timeouts.connect_ms)
      this.#clients.set(backend, client)
    }
    return client
  }
}

/** Text completions without max_tokens get 16 of most engines, and not what is left. */
function mayTakeRoom({ clampMaxTokens, kind }: CanonicalRequest, room: number | 'rest'): boolean {
  return clampMaxTokens && (room !== 'rest' || kind === 'chat')
}

function noneLeft(model: string): GatewayError {
  return failure('no_healthy_backends', { model }, { extra: { model } })
}
