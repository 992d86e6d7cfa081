import type { Placement } from '../backends/backend.ts'
import type { Clock } from '../base/clock.ts'
import type { Usage } from '../canonical/reply.ts'
import type { ModelTokens } from '../tokens/token-ratios.ts'
import { newQueued, type QueuedRequest } from './backend-load.ts'
import { prefillWork } from './backend-speed.ts'
import type { CacheReport } from './cache-size.ts'
import { CHUNK_BYTES } from './chunk-hash.ts'
import type { Prompt } from './prompt.ts'
import type { RoutedBackend } from './routed-backend.ts'

/** The measured tokens of a model's texts. */
export type TextTokens = Pick<ModelTokens, 'tokensPerByte'>

/** Called with each placement and its results. */
export interface PlacementObserver {
  /** The chunks of a prompt are now believed to be at this backend. */
  placed(routed: RoutedBackend, prompt: Prompt): void
  /** The load of this backend has changed. */
  changed(routed: RoutedBackend): void
  /**
   * `predicted`: tokens that the backend was expected to have cached. `reported`: tokens that it read from its cache.
   */
  cached(model: string, predicted: number, reported: number): void
  /** Time to the first token, in milliseconds. */
  firstToken(model: string, predicted: number, measured: number): void
}

/** Shared by all placements of a model. */
export interface PlacementContext {
  readonly model: string
  readonly clock: Clock
  readonly tokens: TextTokens
  readonly observer: PlacementObserver
}

/** The time of a shorter answer says little about the time of a step. */
const MIN_STEPS = 4

/**
 * A request at the backend that was chosen for it. It is a part of the backend's load until it has ended. Its reply
 * then shows how fast the backend is, and how large its cache is.
 */
export class RoutedPlacement implements Placement {
  /** Tokens of the prompt that the backend is not believed to have cached. */
  readonly newTokens: number
  readonly #context: PlacementContext
  readonly #routed: RoutedBackend
  readonly #prompt: Prompt
  readonly #predictedMs: number
  readonly #queued: QueuedRequest
  readonly #promptTokens: number
  readonly #knownTokens: number
  readonly #expected: Omit<CacheReport, 'reported'>
  /** The first token shows when the prefill is done. */
  readonly #isStreamed: boolean
  /** No other prefill was queued before this one. */
  readonly #isAlone: boolean
  #begunAt = 0
  #hasEnded = false

  /** The request is sent to the backend now. `predictedMs`: time to the first token; 0: not predicted. */
  constructor(context: PlacementContext, routed: RoutedBackend, prompt: Prompt, predictedMs: number) {
    const { backend, index, load, speed } = routed
    const { hashes, session } = prompt
    const { tokensPerByte } = context.tokens
    const now = context.clock.monotonic()
    this.#context = context
    this.#routed = routed
    this.#prompt = prompt
    this.#predictedMs = predictedMs
    this.#expected = expectedCache(routed, hashes, now)
    this.#promptTokens = prompt.length * tokensPerByte
    this.#knownTokens = this.#expected.expected * CHUNK_BYTES * tokensPerByte
    this.newTokens = this.#promptTokens - this.#knownTokens
    this.#isStreamed = prompt.isStreamed || backend.config.profile.always_stream
    this.#isAlone = load.queuedMs === 0
    const prefillMs = prefillWork(this.#knownTokens, this.#promptTokens) / speed.tokensPerMs(backend.config.routing)
    const begunBy = this.#isStreamed ? Number.POSITIVE_INFINITY : now + load.wait(now) + prefillMs
    this.#queued = newQueued(prefillMs, begunBy)
    load.sent(this.#queued, this.#promptTokens, now)
    if (session !== null) index.touch(session[0]!, session[1]!, now)
    index.insert(hashes, now)
    context.observer.placed(routed, prompt)
  }

  begun(): void {
    if (this.#hasEnded || this.#begunAt !== 0) return
    this.#begunAt = this.#context.clock.monotonic()
    this.#routed.load.begun(this.#queued, this.#begunAt)
    this.#context.observer.changed(this.#routed)
  }

  ended(usage: Usage | undefined): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const { load, index } = this.#routed
    const hadBegun = load.ended(this.#queued, this.#promptTokens)
    this.#context.observer.changed(this.#routed)
    if (usage === undefined) {
      // The prompt was not computed, so it is in no cache.
      if (!hadBegun) index.forget(this.#prompt.hashes, this.#expected.expected, this.#queued.sentAt)
      return
    }
    if (usage.cachedTokens !== null) this.#learnCache(usage.promptTokens, usage.cachedTokens)
    this.#routed.fit(this.#context.tokens.tokensPerByte)
    if (this.#isStreamed && this.#begunAt !== 0) this.#learnSpeed(usage)
  }

  #learnCache(promptTokens: number, cachedTokens: number): void {
    const { model, observer, tokens } = this.#context
    const { cache, index } = this.#routed
    observer.cached(model, this.#knownTokens, cachedTokens)
    // Computed from the tokens of this prompt: the tokens per byte of texts differ widely.
    const reported = (cachedTokens / Math.max(1, promptTokens)) * (this.#prompt.length / CHUNK_BYTES)
    cache.learn({ ...this.#expected, reported }, CHUNK_BYTES * tokens.tokensPerByte * index.size)
  }

  #learnSpeed({ cachedTokens, promptTokens, completionTokens }: Usage): void {
    const { model, clock, observer } = this.#context
    const { speed } = this.#routed
    const ms = this.#begunAt - this.#queued.sentAt
    if (this.#predictedMs > 0) observer.firstToken(model, this.#predictedMs, ms)
    // Otherwise the time includes prefills of other requests.
    if (this.#isAlone) speed.prefilled(prefillWork(cachedTokens ?? this.#knownTokens, promptTokens), ms)
    const steps = completionTokens - 1
    if (steps >= MIN_STEPS) speed.stepped((clock.monotonic() - this.#begunAt) / steps)
  }
}

/** What the index expects of the backend's cache for a prompt with these hashes. */
function expectedCache({ index, load }: RoutedBackend, hashes: Int32Array, now: number): Omit<CacheReport, 'reported'> {
  const expected = index.match(hashes, true)
  const remembered = index.match(hashes, false)
  const age = index.age(hashes, expected - 1, now)
  return { expected, remembered, wasOld: age > index.oldest(now) / 2 && load.isSettled(now - age) }
}
