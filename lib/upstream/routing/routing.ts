/** The door of this room: which of a model's backends gets a request (docs/ROUTING.md). */
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../../base/clock.ts'
import type { Metrics } from '../../base/metrics.ts'
import type { CanonicalRequest } from '../../canonical/request.ts'
import type { ModelConfig } from '../../config/config.ts'
import type { PipeRequest } from '../../core/pipe-request.ts'
import type { Target } from '../../core/target.ts'
import type { Backend } from '../backend.ts'
import { CacheReader } from './cache-reader.ts'
import { type HashKey, hashKey } from './chunk-hash.ts'
import { ModelRouting, type RoutingObserver } from './model-routing.ts'
import type { Reason, Routed } from './policy.ts'
import { type Prompt, promptOf, promptOfLength } from './prompt.ts'
import { RoutingMetrics } from './routing-metrics.ts'

export type { Routed } from './policy.ts'

export interface RoutingOptions {
  readonly clock: Clock
  readonly metrics: Metrics
  /** Returns numbers as Math.random does. */
  readonly random?: () => number
}

/** A request as routing sees it. */
export interface RoutedRequest {
  readonly request: CanonicalRequest | PipeRequest
  readonly target: Target
  readonly headers: IncomingHttpHeaders
  /** Bytes of the body as received. */
  readonly bodyBytes: number
}

/** Routes the requests of all models whose policy is `cost`. It outlives reloads, with all that it has learnt. */
export class Routing {
  readonly #clock: Clock
  readonly #random: (() => number) | undefined
  readonly #metrics: RoutingMetrics
  readonly #models = new Map<string, ModelRouting>()
  readonly #reader = new CacheReader((backend, tokens) => this.#of(backend.model).of(backend).cache.told(tokens))
  /** Of this process alone, and of this start. */
  readonly #key: HashKey = hashKey(randomBytes(16))
  readonly #observer: RoutingObserver

  constructor({ clock, metrics, random }: RoutingOptions) {
    this.#clock = clock
    this.#random = random
    this.#metrics = new RoutingMetrics(metrics, () => this.#models.values())
    this.#observer = {
      decided: (model: string, reason: Reason) => this.#metrics.decided(model, reason),
      cached: (model, predicted, reported) => this.#metrics.cached(model, predicted, reported),
      firstToken: (model, predicted, measured) => this.#metrics.firstToken(model, predicted, measured),
      placed: () => {},
    }
  }

  /** undefined: the policy of the model is another one, or there is nothing to choose. */
  route({ request, target, headers, bodyBytes }: RoutedRequest): Routed | undefined {
    const { model } = target
    if (model.routing.policy !== 'cost' || model.backends.length < 2) return undefined
    const prompt = request.kind === 'pipe' ? promptOfLength(bodyBytes) : this.#prompt(request, target, headers)
    return this.#of(model.id).route(prompt)
  }

  /** The backend is down: when it comes back, its cache is empty. */
  lost(backend: Backend): void {
    this.#models.get(backend.model)?.of(backend).forget()
  }

  /** The backend has passed a health check. */
  healthy(backend: Backend): void {
    this.#reader.healthy(backend)
  }

  /** Forgets all backends but these. */
  retain(present: Iterable<Backend>): void {
    const set = new Set(present)
    for (const routing of this.#models.values()) routing.retain(set)
  }

  close(): void {
    this.#reader.close()
  }

  #of(model: string): ModelRouting {
    let routing = this.#models.get(model)
    if (routing === undefined) {
      routing = new ModelRouting(model, this.#clock, this.#observer, this.#random)
      this.#models.set(model, routing)
    }
    return routing
  }

  #prompt(request: CanonicalRequest, { model, zdr, cacheSalt }: Target, headers: IncomingHttpHeaders): Prompt {
    const { session_header: name } = model.routing
    const session = name === undefined ? undefined : headers[name]
    return promptOf(request, {
      key: this.#key,
      // What the engine keeps apart is kept apart here, too: times must not tell one tenant what another has asked.
      seed: cacheSalt === undefined ? model.id : `${model.id}\n${cacheSalt}`,
      session: typeof session === 'string' ? session : undefined,
      systemFirst: !systemInline(model),
      isPrivate: zdr,
    })
  }
}

/** Backends of one model have the same chat template. */
function systemInline({ backends }: ModelConfig): boolean {
  return backends[0]?.profile.system_inline === true
}
