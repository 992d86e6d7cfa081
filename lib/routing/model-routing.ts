import type { Backend } from '../backends/backend.ts'
import type { Placement } from '../backends/lease.ts'
import { drawn } from '../backends/model-backends.ts'
import type { Learnt } from '../backends/snapshot.ts'
import type { Clock } from '../base/clock.ts'
import type { ModelTokens } from '../tokens/token-ratios.ts'
import { newQueued } from './backend-load.ts'
import { ModelSpeed, prefillWork } from './backend-speed.ts'
import { CHUNK_BYTES } from './chunk-hash.ts'
import { type Cost, costOfSending } from './cost.ts'
import type { ExplainedCost, Routed, RoutingReason } from './policy.ts'
import type { Prompt } from './prompt.ts'
import { RoutedBackend } from './routed-backend.ts'

/** Share of the newest request in the mean of new tokens. */
const NEWEST = 0.02
const FIRST_MEAN = 750

/** Called with decisions, and with what came of them. */
export interface RoutingObserver {
  decided(model: string, reason: RoutingReason): void
  /** Tokens that the backend was expected to have cached, and those that it has reported. */
  cached(model: string, predicted: number, reported: number): void
  /** Milliseconds. */
  firstToken(model: string, predicted: number, measured: number): void
  /** The chunks of a prompt are now believed to be at this backend. */
  placed(routed: RoutedBackend, prompt: Prompt): void
  /** What is under way at this backend has changed. */
  changed(routed: RoutedBackend): void
}

/** What is measured of the tokens of a model. */
export type TextTokens = Pick<ModelTokens, 'tokensPerByte'>

/**
 * The policy `cost`: sends a request of one model to where its first token is expected soonest, and costs others least.
 */
export class ModelRouting {
  readonly model: string
  readonly #clock: Clock
  readonly #observer: RoutingObserver
  readonly #random: () => number
  readonly #speed = new ModelSpeed()
  readonly #backends = new Map<Backend, RoutedBackend>()
  readonly #tokens: TextTokens
  #meanNew = FIRST_MEAN

  constructor(
    model: string,
    clock: Clock,
    tokens: TextTokens,
    observer: RoutingObserver,
    random: () => number = Math.random,
  ) {
    this.model = model
    this.#tokens = tokens
    this.#clock = clock
    this.#observer = observer
    this.#random = random
  }

  get tokensPerByte(): number {
    return this.#tokens.tokensPerByte
  }

  get backends(): Iterable<RoutedBackend> {
    return this.#backends.values()
  }

  /** What is known of this backend. One that was not there before has an empty cache. */
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

  /** What is known of each backend, for metrics. */
  learnt() {
    return Array.from(this.#backends.values(), ({ backend, index, learnt }) => ({
      backend: backend.address,
      ...learnt,
      indexBytes: index.bytes,
    }))
  }

  /** null: nothing. */
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
    const now = this.#clock.monotonic()
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
    const now = this.#clock.monotonic()
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
      set: backend.config.routing,
      promptTokens: prompt.length * this.tokensPerByte,
      knownTokens,
      young: size < capacity ? size / capacity : eldest === 0 ? 0 : 1 - index.oldest(now) / eldest,
      meanNewTokens: this.#meanNew,
      weight: backend.config.weight,
      now,
    })
  }

  /** The greatest age of an oldest chunk. */
  #eldest(candidates: readonly Backend[], now: number): number {
    let eldest = 0
    for (const backend of candidates) eldest = Math.max(eldest, this.of(backend).index.oldest(now))
    return eldest
  }

  /** Tokens at the start of the prompt that this backend is believed to hold. */
  #knownTokens({ index }: RoutedBackend, { hashes, length, session }: Prompt): number {
    let bytes = index.match(hashes, true) * CHUNK_BYTES
    // The end of the conversation so far is in no complete chunk: a session that was here last has it here.
    if (session !== null && length - bytes < 2 * CHUNK_BYTES && index.has(session[0]!, session[1]!))
      bytes += (length - bytes) / 2
    return Math.min(bytes, length) * this.tokensPerByte
  }

  #place(backend: Backend, prompt: Prompt, predictedMs: number): Placement {
    const routed = this.of(backend)
    const now = this.#clock.monotonic()
    const { hashes, session } = prompt
    const { index, load } = routed
    const tokensPerByte = this.tokensPerByte
    const expected = index.match(hashes, true)
    const remembered = index.match(hashes, false)
    const age = index.age(hashes, expected - 1, now)
    const wasOld = age > index.oldest(now) / 2 && load.settled(now - age)
    const promptTokens = prompt.length * tokensPerByte
    const knownTokens = expected * CHUNK_BYTES * tokensPerByte
    const rate = routed.speed.tokensPerMs(backend.config.routing)
    const work = prefillWork(knownTokens, promptTokens)
    const queueMs = load.queuedMs
    const prefillMs = work / rate
    const isStreamed = prompt.streamed || backend.config.profile.always_stream
    const begunBy = isStreamed ? Number.POSITIVE_INFINITY : now + load.wait(now) + prefillMs
    const queued = newQueued(prefillMs, begunBy)
    load.sent(queued, promptTokens, now)
    this.#meanNew += NEWEST * (promptTokens - knownTokens - this.#meanNew)
    if (session !== null) index.touch(session[0]!, session[1]!, now)
    index.insert(hashes, now)
    this.#observer.placed(routed, prompt)

    let begunAt = 0
    let over = false
    return {
      begun: () => {
        if (over || begunAt !== 0) return
        begunAt = this.#clock.monotonic()
        load.begun(queued, begunAt)
        this.#observer.changed(routed)
      },
      ended: usage => {
        if (over) return
        over = true
        const hadBegun = load.ended(queued, promptTokens)
        this.#observer.changed(routed)
        if (usage === undefined) {
          // What was never computed is in no cache.
          if (!hadBegun) index.forget(hashes, expected, now)
          return
        }
        const endedAt = this.#clock.monotonic()
        const { cachedTokens } = usage
        if (cachedTokens !== null) {
          this.#observer.cached(this.model, knownTokens, cachedTokens)
          // By the tokens of this very prompt: texts differ by far in tokens per byte.
          const reported = (cachedTokens / Math.max(1, usage.promptTokens)) * (prompt.length / CHUNK_BYTES)
          const held = CHUNK_BYTES * this.tokensPerByte * index.size
          routed.cache.learn({ expected, remembered, reported, wasOld }, held)
        }
        routed.fit(this.tokensPerByte)
        if (!isStreamed || begunAt === 0) return
        const ms = begunAt - now
        if (predictedMs > 0) this.#observer.firstToken(this.model, predictedMs, ms)
        const known = cachedTokens ?? knownTokens
        // Only a prefill that began at once shows how long one takes.
        if (queueMs === 0) routed.speed.prefilled(prefillWork(known, usage.promptTokens), ms)
        if (usage.completionTokens > 4) routed.speed.stepped((endedAt - begunAt) / (usage.completionTokens - 1))
      },
    }
  }
}
