/** The public module of this room: chooses the backend of a request (docs/ROUTING.md). */
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { Backend } from '../backends/backend.ts'
import type { Learnt } from '../backends/snapshot.ts'
import type { Clock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import type { CanonicalRequest } from '../canonical/request.ts'
import { backendOptions, type ModelConfig } from '../config/config.ts'
import type { PipeRequest, Target } from '../core/slots.ts'
import type { TokenRatios } from '../tokens/token-ratios.ts'
import { CacheReader } from './cache-reader.ts'
import { type HashKey, hashKey } from './chunk-hash.ts'
import { type Explanation, ModelRouting, type Routed, type RoutingObserver } from './model-routing.ts'
import { type Prompt, promptOf, promptOfLength } from './prompt.ts'
import type { Predictions, RoutedBackend, ServerLoad } from './routed-backend.ts'
import { RoutingMetrics } from './routing-metrics.ts'
import type { Channel } from './sharing/channel.ts'
import { Sharing } from './sharing/sharing.ts'
import { SpareModel } from './spare/spare-model.ts'

export type { Routed } from './model-routing.ts'

interface RoutingOptions {
  readonly clock: Clock
  readonly metrics: Metrics
  /** The measured ratios of tokens to bytes, per model. */
  readonly tokens: TokenRatios
  /** A random number as of Math.random(), which is the default. */
  readonly random?: () => number
  /** Set if other processes route to the same backends. */
  readonly share?: ShareOptions
}

export interface ShareOptions {
  /** The same in all processes. */
  readonly secret: string
  /** Opens the channel to the other processes. `receive` gets their messages, and may get those of this process. */
  open(receive: (message: string) => void): Channel
}

/** A request to be routed. */
interface RoutedRequest {
  readonly request: CanonicalRequest | PipeRequest
  readonly target: Target
  /** Bytes of the body as received. */
  readonly bodyBytes: number
}

/** What routing has measured of a backend. */
export interface Measured {
  readonly backend: Backend
  /** Since the start. */
  readonly predictions: Predictions
  /** The part of its prefix cache that prompts are believed to use, 0 to 1. */
  readonly fill: number
}

/** Routes the requests of all models with the policy `cost`. It outlives reloads, and keeps what it has learnt. */
export class Routing {
  readonly #clock: Clock
  readonly #tokens: TokenRatios
  readonly #random: (() => number) | undefined
  readonly #metrics: RoutingMetrics
  readonly #models = new Map<string, ModelRouting>()
  /** By server. */
  readonly #loads = new WeakMap<Backend['server'], ServerLoad>()
  readonly #reader = new CacheReader((backend, tokens) => this.#of(backend.model).of(backend).cache.setReported(tokens))
  readonly #key: HashKey
  readonly #sharing: Sharing | undefined
  readonly #channel: Channel | undefined
  readonly #observer: RoutingObserver
  readonly #spare = new WeakMap<ModelRouting, SpareModel>()
  #changed: (model: string) => void = () => {}
  #wanted: (backend: Backend) => void = () => {}
  /** The gateway has batches: requests of all policies are counted, because their lines wait for them. */
  isCounting = false

  constructor({ clock, metrics, tokens, random, share }: RoutingOptions) {
    // A process that does not share has a random key.
    this.#key = hashKey(share === undefined ? randomBytes(16) : derived(share.secret))
    if (share !== undefined) {
      const channel = share.open(message => this.#sharing?.receive(message))
      const publish = (message: string) => channel.publish(message)
      const backends = () => this.#backends()
      const hasLines = () => this.isCounting
      const onWanted = (backend: Backend) => this.#wanted(backend)
      this.#sharing = new Sharing({
        clock,
        id: randomUUID(),
        secret: share.secret,
        backends,
        publish,
        hasLines,
        onWanted,
      })
      this.#channel = channel
    }
    this.#clock = clock
    this.#tokens = tokens
    this.#random = random
    this.#metrics = new RoutingMetrics(metrics, () => this.#models.values())
    this.#observer = {
      decided: (model, reason) => this.#metrics.decided(model, reason),
      cached: (model, predicted, reported) => this.#metrics.cached(model, predicted, reported),
      firstToken: (routed, predicted, measured) => {
        routed.predictions.add(predicted, measured)
        this.#metrics.firstToken(routed.backend.model, predicted, measured)
      },
      placed: (routed, prompt, isLine) => {
        this.#sharing?.placed(routed, prompt, isLine)
        this.#changed(routed.backend.model)
      },
      changed: routed => {
        this.#sharing?.changed(routed)
        this.#changed(routed.backend.model)
      },
    }
  }

  /** undefined: the model has another policy, and the gateway has no batches. */
  route({ request, target, bodyBytes }: RoutedRequest): Routed | undefined {
    const { model } = target
    const isChoosing = model.routing.policy === 'cost'
    if (!isChoosing && !this.isCounting) return undefined
    const prompt = request.kind === 'pipe' ? promptOfLength(bodyBytes) : this.#prompt(request, target)
    return this.#of(model.id).route(prompt, isChoosing)
  }

  /** The rule for the lines of batches of this model. */
  spare(model: string): SpareModel {
    const routing = this.#of(model)
    let spare = this.#spare.get(routing)
    if (spare === undefined) {
      spare = new SpareModel(routing)
      this.#spare.set(routing, spare)
    }
    return spare
  }

  /**
   * `changed`: called with the id of a model when the load of one of its backends changes. `wanted`: called when a
   * request of another process needs the place of a line at a backend.
   */
  watchLines(changed: (model: string) => void, wanted: (backend: Backend) => void): void {
    this.#changed = changed
    this.#wanted = wanted
  }

  /** Asks another process to cancel a line at this backend. */
  wantPlace(backend: Backend): void {
    this.#sharing?.wantPlace(this.#of(backend.model).of(backend))
  }

  /** The cost of a request at each of these backends. Has no effect on routing. */
  explain(request: CanonicalRequest, target: Target, backends: readonly Backend[]): Explanation {
    const routing = this.#of(target.model.id)
    const of = (variant: CanonicalRequest) => routing.explain(backends, this.#prompt(variant, target))
    if (request.kind !== 'chat' || request.reasoning.enabled !== undefined) return of(request)
    // The chain, which has not run, decides whether the request reasons. The variant with more known tokens is what
    // clients send.
    const variants = [false, true].map(enabled => {
      const { default: preset } = target.model.capabilities.reasoning_effort
      const effort = enabled ? (request.reasoning.effort ?? (preset === 'none' ? undefined : preset)) : undefined
      return of({ ...request, reasoning: { ...request.reasoning, enabled, effort } })
    })
    const known = ({ backends }: Explanation) => backends.reduce((sum, { knownTokens }) => sum + knownTokens, 0)
    return known(variants[1]!) > known(variants[0]!) ? variants[1]! : variants[0]!
  }

  /** What routing assumes about the backends that it knows. */
  learnt(): ReadonlyMap<Backend, Learnt> {
    const all = [...this.#models.values()].flatMap(model => model.learnt())
    return new Map(all.map(({ backend, learnt }) => [backend, learnt]))
  }

  /** What routing has measured of the backends that it knows. */
  *measured(): Iterable<Measured> {
    for (const { tokensPerByte, backends } of this.#models.values())
      for (const routed of backends) {
        const { backend, predictions } = routed
        yield { backend, predictions, fill: routed.fill(tokensPerByte) }
      }
  }

  /** The backend is down. Its cache will be empty after the restart. */
  lost(backend: Backend): void {
    this.#models.get(backend.model)?.of(backend).forget()
  }

  /** The backend has passed a health check. */
  healthy(backend: Backend): void {
    this.#reader.healthy(backend)
  }

  /** Forgets all other backends. Messages of other processes about new ones count from now on. */
  update(present: Iterable<Backend>): void {
    const set = new Set(present)
    for (const [model, routing] of this.#models) {
      routing.retain(set)
      // Backends of another kind may come.
      if (routing.isEmpty) this.#models.delete(model)
    }
    if (this.#sharing === undefined) return
    this.#sharing.backendsChanged()
    for (const [model, backends] of Map.groupBy(set, backend => backend.model)) {
      if (backends.length > 1) for (const backend of backends) this.#of(model).of(backend)
    }
  }

  close(): void {
    this.#reader.close()
    this.#sharing?.close()
    this.#channel?.close()
  }

  *#backends(): Iterable<RoutedBackend> {
    for (const routing of this.#models.values()) yield* routing.backends
  }

  #of(model: string): ModelRouting {
    let routing = this.#models.get(model)
    if (routing === undefined) {
      const tokens = this.#tokens.of(model)
      routing = new ModelRouting(model, this.#clock, tokens, this.#observer, this.#random, this.#loads)
      this.#models.set(model, routing)
    }
    return routing
  }

  #prompt(request: CanonicalRequest, { account, model, zdr, cacheSalt, session }: Target): Prompt {
    return promptOf(request, {
      key: this.#key,
      // Isolated as in the engine's cache: a tenant must not learn from response times what another one has sent.
      seed: cacheSalt === undefined ? model.id : `${model.id}\n${cacheSalt}`,
      // Clients of two accounts may choose the same name.
      session: session === undefined ? undefined : `${account}\n${session}`,
      isSystemFirst: !systemInline(model),
      isPrivate: zdr,
    })
  }
}

/** The key of hashes, which differs from other keys that are derived from the secret. */
function derived(secret: string): Buffer {
  return createHmac('sha256', secret).update('routing hashes').digest()
}

/** Whether the chat template keeps the position of system messages. It is the same at all backends of a model. */
function systemInline(model: ModelConfig): boolean {
  return backendOptions(model)[0]?.profile.system_inline === true
}
