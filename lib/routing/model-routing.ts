import type { Backend, Placement } from '../backends/backend.ts'
import { type Choose, drawn } from '../backends/model-backends.ts'
import type { Clock } from '../base/clock.ts'
import type { RouteChoice, RouteReason } from '../core/upstream.ts'
import { type Cost, costOfSending, type ModelSpeed } from './cost.ts'
import { type Beliefs, beliefsOf, learntOfAll } from './learnt.ts'
import { ModelBeliefs } from './model-beliefs.ts'
import { type PlacementContext, type PlacementObserver, RoutedPlacement, type TextTokens } from './placement.ts'
import type { Prompt } from './prompt.ts'
import { RoutedBackend, type ServerLoad } from './routed-backend.ts'
import { MovingMean } from './samples.ts'
import { countEvicted } from './spare/evicted.ts'

/** Weight of the newest request in the moving average of new tokens. */
const NEWEST_WEIGHT = 0.02
/** Weight of the newest request in the mean time to the first token. */
const FIRST_WEIGHT = 0.02
/** New tokens of a request, before there is an average. */
const DEFAULT_NEW_TOKENS = 750

/** Why the policy `cost` has chosen a backend. */
export type RoutingReason = Extract<RouteReason, 'prefix' | 'load' | 'new' | 'single'>

/** Called with decisions and their results. */
export interface RoutingObserver extends PlacementObserver {
  decided(model: string, reason: RoutingReason): void
}

/** A request that is being routed. It may be placed at several backends, one after the other. */
export interface Routed {
  readonly prompt: Prompt
  /** undefined: the model has another policy. Its placements are counted for lines of batches. */
  readonly choose: Choose | undefined
  /** How the backend of the last placement was chosen; null: there is none. */
  readonly choice: RouteChoice | null
  /** To be called when the request is sent to this backend. */
  place(backend: Backend): Placement
}

/** The cost at one backend, as operators see it. */
interface ExplainedCost extends Cost {
  readonly backend: string
  /** Time to the first token of a prompt without work. */
  readonly floorMs: number
  /** Expected time to the first token: `waitMs`, `ownMs` and `floorMs`. */
  readonly predictedMs: number
  readonly promptTokens: number
  readonly knownTokens: number
}

/** The terms of a decision. */
export interface Explanation {
  readonly beliefs: Beliefs
  readonly backends: readonly ExplainedCost[]
}

/** What the costs at all candidates of a decision depend on. */
interface Decision {
  readonly prompt: Prompt
  readonly promptTokens: number
  readonly now: number
  readonly speed: ModelSpeed
  /** Queued requests per candidate. */
  readonly queued: number
  /** The age of the oldest chunk at all candidates that can be evicted. */
  readonly eldest: number
  /** Tokens at the beginning of the prompt that each candidate is believed to have cached. */
  readonly known: readonly number[]
  /** No candidate has any. */
  readonly isNew: boolean
}

/**
 * The policy `cost` for the requests of one model. It chooses the backend with the lowest cost: the time until the
 * first token, and what the request takes from others.
 */
export class ModelRouting {
  readonly model: string
  readonly context: PlacementContext
  readonly #observer: RoutingObserver
  readonly #random: () => number
  readonly #beliefs = new ModelBeliefs()
  readonly #loads: WeakMap<Backend['server'], ServerLoad>
  readonly #backends = new Map<Backend, RoutedBackend>()
  #meanNewTokens = DEFAULT_NEW_TOKENS

  constructor(
    model: string,
    clock: Clock,
    tokens: TextTokens,
    observer: RoutingObserver,
    random: () => number = Math.random,
    loads = new WeakMap<Backend['server'], ServerLoad>(),
  ) {
    this.model = model
    this.#loads = loads
    const firstMs = new MovingMean(FIRST_WEIGHT)
    this.context = { model, clock, tokens, beliefs: this.#beliefs, firstMs, observer }
    this.#observer = observer
    this.#random = random
  }

  get tokensPerByte(): number {
    return this.context.tokens.tokensPerByte
  }

  /** Milliseconds to the first token of a prompt without work, in an empty queue. */
  get floorMs(): number {
    return this.#beliefs.floor.value
  }

  get backends(): IteratorObject<RoutedBackend> {
    return this.#backends.values()
  }

  /** Whether the model has no backends. */
  get isEmpty(): boolean {
    return this.#backends.size === 0
  }

  /** What routing knows of this backend. A new backend has the speed of its model and an empty cache. */
  of(backend: Backend): RoutedBackend {
    let routed = this.#backends.get(backend)
    if (routed === undefined) {
      routed = new RoutedBackend(backend, this.#beliefs, this.#loads)
      routed.fit(this.tokensPerByte, this.context.clock.monotonic())
      this.#backends.set(backend, routed)
    }
    return routed
  }

  /** Forgets the backends that the model no longer has. */
  retain(present: ReadonlySet<Backend>): void {
    for (const backend of this.#backends.keys()) if (!present.has(backend)) this.#backends.delete(backend)
  }

  /** What routing assumes about each backend. */
  learnt() {
    const all = [...this.#backends.values()]
    const learnt = learntOfAll(all, this.context.clock)
    return all.map(({ backend, index }, i) => ({ backend, indexBytes: index.bytes, learnt: learnt[i]! }))
  }

  /** `isChoosing`: the model has this policy. */
  route(prompt: Prompt, isChoosing = true): Routed {
    let reason: RouteReason = isChoosing ? 'reduced' : 'least_load'
    let predictedMs = 0
    let isRetry = false
    const choose: Choose = candidates => {
      const chosen = this.#choose(candidates, prompt)
      reason = chosen.reason
      predictedMs = chosen.predictedMs
      this.#observer.decided(this.model, chosen.reason)
      return chosen.backend
    }
    const routed = {
      prompt,
      choose: isChoosing ? choose : undefined,
      choice: null as RouteChoice | null,
      place: (backend: Backend) => {
        const now = this.context.clock.monotonic()
        if (this.#backends.values().some(one => one.hasLines(now)))
          countEvicted(this.#backends.values(), prompt, this.tokensPerByte, now)
        const placement = new RoutedPlacement(this.context, this.of(backend), prompt, { predictedMs, isRetry })
        isRetry = true
        const { promptTokens, newTokens } = placement.request
        const cachedTokens = isChoosing ? promptTokens - newTokens : null
        routed.choice = { reason, predictedMs: predictedMs || null, cachedTokens }
        this.#meanNewTokens += NEWEST_WEIGHT * (placement.request.newTokens - this.#meanNewTokens)
        return placement
      },
    }
    return routed
  }

  /** The terms of the decision at each of these backends. */
  explain(candidates: readonly Backend[], prompt: Prompt): Explanation {
    const decision = this.#decision(candidates, prompt)
    const { floorMs } = decision.speed
    const backends = candidates.map((backend, i) => {
      const known = decision.known[i]!
      const cost = this.#cost(this.of(backend), known, decision)
      return {
        backend: backend.address,
        promptTokens: Math.round(decision.promptTokens),
        knownTokens: Math.round(known),
        ...cost,
        floorMs,
        predictedMs: cost.waitMs + cost.ownMs + floorMs,
      }
    })
    return { beliefs: beliefsOf(this.#beliefs, decision.speed), backends }
  }

  #choose(candidates: readonly Backend[], prompt: Prompt) {
    if (candidates.length === 1) return { backend: candidates[0]!, reason: 'single' as const, predictedMs: 0 }
    const decision = this.#decision(candidates, prompt)
    let best: Cost | undefined
    let bestKnown = 0
    let mostKnown = 0
    let ties: Backend[] = []
    for (const [i, backend] of candidates.entries()) {
      const known = decision.known[i]!
      const cost = this.#cost(this.of(backend), known, decision)
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
    const reason: RoutingReason = mostKnown === 0 ? 'new' : bestKnown === mostKnown ? 'prefix' : 'load'
    const backend = ties.length === 1 ? ties[0]! : drawn(ties, this.#random)
    return { backend, reason, predictedMs: best!.waitMs + best!.ownMs + decision.speed.floorMs }
  }

  #decision(candidates: readonly Backend[], prompt: Prompt): Decision {
    const now = this.context.clock.monotonic()
    let eldest = 0
    let queued = 0
    const known = candidates.map(backend => {
      const routed = this.of(backend)
      routed.fit(this.tokensPerByte, now)
      eldest = Math.max(eldest, routed.index.oldest(now))
      queued += routed.load.queued
      return routed.knownTokens(prompt, this.tokensPerByte)
    })
    return {
      prompt,
      promptTokens: prompt.length * this.tokensPerByte,
      now,
      speed: this.speed(candidates),
      queued: queued / candidates.length,
      eldest,
      known,
      isNew: known.every(tokens => tokens === 0),
    }
  }

  /** Values of configured backends and learnt ones of the others, in the mean. */
  speed(candidates: readonly Backend[]): ModelSpeed {
    const { workPerMs: rate, stepMs: step, requestMs } = this.#beliefs
    const { floorMs } = this
    let msPerWork = 0
    let steps = 0
    for (const { config } of candidates) {
      const { prefill_tokens_per_second: perSecond, decode_step_ms: ms } = config.routing
      msPerWork += perSecond === undefined ? 1 / rate : 1000 / perSecond
      steps += ms ?? step
    }
    const stepMs = steps / candidates.length
    return { workPerMs: candidates.length / msPerWork, floorMs, stepMs, kvMs: this.#beliefs.kvMs(stepMs), requestMs }
  }

  #cost({ load, lines, backend, index, cache }: RoutedBackend, knownTokens: number, decision: Decision): Cost {
    const { promptTokens, now, speed, queued, eldest, isNew } = decision
    const { size, capacity, lineChunks } = index
    const pressure = size < capacity ? size / capacity : eldest === 0 ? 0 : 1 - index.oldest(now) / eldest
    return costOfSending({
      load,
      lines: lines.load,
      speed,
      attentionTokens: backend.config.routing.attention_tokens,
      queued,
      promptTokens,
      knownTokens,
      isNew,
      cacheTokens: cache.source === 'replies' ? undefined : cache.tokens,
      // Nobody asks for the chunks of lines again.
      evictionPressure: lineChunks === 0 ? pressure : pressure * (1 - lineChunks / size),
      meanNewTokens: this.#meanNewTokens,
      weight: backend.config.weight,
      now,
    })
  }
}
