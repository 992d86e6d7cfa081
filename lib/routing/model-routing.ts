import type { Backend, Placement } from '../backends/backend.ts'
import { type Choose, drawn } from '../backends/model-backends.ts'
import type { Learnt } from '../backends/snapshot.ts'
import type { Clock } from '../base/clock.ts'
import { ModelSpeed } from './backend-speed.ts'
import { CHUNK_BYTES } from './chunk-hash.ts'
import { type Cost, costOfSending } from './cost.ts'
import { type PlacementContext, type PlacementObserver, RoutedPlacement, type TextTokens } from './placement.ts'
import type { Prompt } from './prompt.ts'
import { RoutedBackend } from './routed-backend.ts'

/** Weight of the newest request in the moving average of new tokens. */
const NEWEST_WEIGHT = 0.02
/** New tokens of a request, before there is an average. */
const DEFAULT_NEW_TOKENS = 750

/**
 * Why a backend was chosen.
 * - `prefix`: it knows the longest part of the prompt.
 * - `load`: another backend knows more of the prompt, but would answer later.
 * - `new`: no backend knows any of it.
 * - `single`: there was no other candidate.
 */
export type RoutingReason = 'prefix' | 'load' | 'new' | 'single'

/** Called with decisions and their results. */
export interface RoutingObserver extends PlacementObserver {
  decided(model: string, reason: RoutingReason): void
}

/** A request that is being routed. It may be placed at several backends, one after the other. */
export interface Routed {
  readonly choose: Choose
  /** To be called when the request is sent to this backend. */
  place(backend: Backend): Placement
}

/** The cost at one backend, as operators see it. */
export interface ExplainedCost extends Cost {
  readonly backend: string
  readonly promptTokens: number
  readonly knownTokens: number
}

/**
 * The policy `cost` for the requests of one model. It chooses the backend with the lowest cost: the time until the
 * first token, and what the request takes from others.
 */
export class ModelRouting {
  readonly model: string
  readonly #context: PlacementContext
  readonly #observer: RoutingObserver
  readonly #random: () => number
  readonly #speed = new ModelSpeed()
  readonly #backends = new Map<Backend, RoutedBackend>()
  #meanNewTokens = DEFAULT_NEW_TOKENS

  constructor(
    model: string,
    clock: Clock,
    tokens: TextTokens,
    observer: RoutingObserver,
    random: () => number = Math.random,
  ) {
    this.model = model
    this.#context = { model, clock, tokens, observer }
    this.#observer = observer
    this.#random = random
  }

  get tokensPerByte(): number {
    return this.#context.tokens.tokensPerByte
  }

  get backends(): Iterable<RoutedBackend> {
    return this.#backends.values()
  }

  /** What routing knows of this backend. The cache of a new backend is empty. */
  of(backend: Backend): RoutedBackend {
    let routed = this.#backends.get(backend)
    if (routed === undefined) {
      routed = new RoutedBackend(backend, this.#speed)
      routed.fit(this.tokensPerByte)
      this.#backends.set(backend, routed)
    }
    return routed
  }

  /** Forgets the backends that the model no longer has. */
  retain(present: ReadonlySet<Backend>): void {
    for (const backend of this.#backends.keys()) if (!present.has(backend)) this.#backends.delete(backend)
  }

  /** What routing has learnt of each backend, for metrics. */
  learnt() {
    return Array.from(this.#backends.values(), ({ backend, index, learnt }) => ({
      backend: backend.address,
      ...learnt,
      indexBytes: index.bytes,
    }))
  }

  /** null: the backend is unknown. */
  learntOf(backend: Backend): Learnt | null {
    return this.#backends.get(backend)?.learnt ?? null
  }

  route(prompt: Prompt): Routed {
    let predictedMs = 0
    return {
      choose: candidates => {
        if (candidates.length === 1) {
          this.#observer.decided(this.model, 'single')
          return candidates[0]!
        }
        const choice = this.#choose(candidates, prompt)
        predictedMs = choice.waitMs + choice.ownMs
        return choice.backend
      },
      place: backend => this.#place(backend, prompt, predictedMs),
    }
  }

  /** The terms of the decision at each of these backends. */
  explain(candidates: readonly Backend[], prompt: Prompt): ExplainedCost[] {
    const now = this.#context.clock.monotonic()
    const eldest = this.#eldest(candidates, now)
    return candidates.map(backend => {
      const routed = this.of(backend)
      const known = this.#knownTokens(routed, prompt)
      const promptTokens = Math.round(prompt.length * this.tokensPerByte)
      return {
        backend: backend.address,
        promptTokens,
        knownTokens: Math.round(known),
        ...this.#cost(routed, prompt, known, eldest, now),
      }
    })
  }

  #choose(candidates: readonly Backend[], prompt: Prompt): Cost & { readonly backend: Backend } {
    const now = this.#context.clock.monotonic()
    const eldest = this.#eldest(candidates, now)
    let best: Cost | undefined
    let bestKnown = 0
    let mostKnown = 0
    let ties: Backend[] = []
    for (const backend of candidates) {
      const routed = this.of(backend)
      const known = this.#knownTokens(routed, prompt)
      const cost = this.#cost(routed, prompt, known, eldest, now)
      if (known > mostKnown) mostKnown = known
      if (best !== undefined && cost.cost > best.cost) continue
      if (best !== undefined && cost.cost === best.cost) {
        ties.push(backend)
        continue
      }
      best = cost
      bestKnown = known
      ties = [backend]
    }
    this.#observer.decided(this.model, mostKnown === 0 ? 'new' : bestKnown === mostKnown ? 'prefix' : 'load')
    const backend = ties.length === 1 ? ties[0]! : drawn(ties, this.#random)
    return { ...best!, backend }
  }

  #cost(routed: RoutedBackend, prompt: Prompt, knownTokens: number, eldest: number, now: number): Cost {
    const { load, speed, backend, index } = routed
    const { size, capacity } = index
    return costOfSending({
      load,
      speed,
      configured: backend.config.routing,
      promptTokens: prompt.length * this.tokensPerByte,
      knownTokens,
      evictionPressure: size < capacity ? size / capacity : eldest === 0 ? 0 : 1 - index.oldest(now) / eldest,
      meanNewTokens: this.#meanNewTokens,
      weight: backend.config.weight,
      now,
    })
  }

  /** The age of the oldest chunk at all candidates. */
  #eldest(candidates: readonly Backend[], now: number): number {
    let eldest = 0
    for (const backend of candidates) eldest = Math.max(eldest, this.of(backend).index.oldest(now))
    return eldest
  }

  /** Tokens at the start of the prompt that this backend is believed to have cached. */
  #knownTokens({ index }: RoutedBackend, { hashes, length, session }: Prompt): number {
    let bytes = index.match(hashes, true) * CHUNK_BYTES
    // The last chunk of a conversation is incomplete and has no hash. With a known session, half of it counts as
    // cached.
    if (session !== null && length - bytes < 2 * CHUNK_BYTES && index.has(session[0]!, session[1]!))
      bytes += (length - bytes) / 2
    return Math.min(bytes, length) * this.tokensPerByte
  }

  #place(backend: Backend, prompt: Prompt, predictedMs: number): Placement {
    const placement = new RoutedPlacement(this.#context, this.of(backend), prompt, predictedMs)
    this.#meanNewTokens += NEWEST_WEIGHT * (placement.newTokens - this.#meanNewTokens)
    return placement
  }
}
