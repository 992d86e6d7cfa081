import type { Placement } from '../backends/backend.ts'
import type { Clock } from '../base/clock.ts'
import type { Usage } from '../canonical/reply.ts'
import type { ModelTokens } from '../tokens/token-ratios.ts'
import { type LoadedRequest, type LoadHistory, loadedRequest } from './backend-load.ts'
import type { CacheReport } from './cache-size.ts'
import { CHUNK_BYTES } from './chunk-hash.ts'
import { type ModelBeliefs, prefillWork } from './model-beliefs.ts'
import type { Prompt } from './prompt.ts'
import type { RoutedBackend } from './routed-backend.ts'
import type { MovingMean } from './samples.ts'

/** The measured tokens of a model's texts. */
export type TextTokens = Pick<ModelTokens, 'tokensPerByte'>

/** Called with each placement and its results. */
export interface PlacementObserver {
  /** The chunks of a prompt are now believed to be at this backend. */
  placed(routed: RoutedBackend, prompt: Prompt, isLine?: boolean): void
  /** The load of this backend has changed. */
  changed(routed: RoutedBackend): void
  /**
   * `predicted`: tokens that the backend was expected to have cached. `reported`: tokens that it read from its cache.
   */
  cached(model: string, predicted: number, reported: number): void
  /** Time to the first token of a reply of this backend, in milliseconds. */
  firstToken(routed: RoutedBackend, predicted: number, measured: number): void
}

/** Shared by all placements of a model. */
export interface PlacementContext {
  readonly model: string
  readonly clock: Clock
  readonly tokens: TextTokens
  readonly beliefs: ModelBeliefs
  /** Expected milliseconds to the first token of interactive requests that meet no queue. */
  readonly firstMs: MovingMean
  readonly observer: PlacementObserver
}

/** What routing has assumed when it chose the backend. */
export interface Choice {
  /** Expected time to the first token, in milliseconds; 0: not predicted. */
  readonly predictedMs: number
  /** The request has been sent to another backend before. Its times then show nothing. */
  readonly isRetry: boolean
}

/**
 * A request at the backend that was chosen for it. It is a part of the backend's load until it has ended. Its reply
 * then shows how fast the backend is, and how large its cache is.
 */
export class RoutedPlacement implements Placement {
  readonly request: LoadedRequest
  readonly #context: PlacementContext
  readonly #routed: RoutedBackend
  readonly #prompt: Prompt
  readonly #predictedMs: number
  readonly #expected: Omit<CacheReport, 'reported'>
  /** The life of the index in which the prompt is pinned. */
  readonly #life: number
  /** The times of the reply show how fast the backend is. Only a stream shows when its prefill is done. */
  readonly #teaches: boolean
  /** Other prefills were queued before this one. */
  readonly #wasQueued: boolean
  /** When the answer began; 0: it has not. */
  #begunAt = 0
  /** When the prefill could start: when it was sent, or when the answer before it began. */
  #startedAt = 0
  #historyAtBegin: LoadHistory | undefined
  #hasEnded = false

  /** The request is sent to the backend now. */
  constructor(context: PlacementContext, routed: RoutedBackend, prompt: Prompt, { predictedMs, isRetry }: Choice) {
    const { backend, index, load, lines } = routed
    const { hashes, session } = prompt
    const { profile } = backend.config
    const { tokensPerByte } = context.tokens
    const now = context.clock.monotonic()
    this.#context = context
    this.#routed = routed
    this.#prompt = prompt
    this.#predictedMs = predictedMs
    this.#expected = expectedCache(routed, hashes, now)
    const promptTokens = prompt.length * tokensPerByte
    const knownTokens = this.#expected.expected * CHUNK_BYTES * tokensPerByte
    const isStreamed = prompt.isStreamed || profile.always_stream
    this.#teaches = isStreamed && !isRetry && routed.hasServed && lines.load.queuedAt(now) === 0
    const waitMs = load.wait(now)
    this.#wasQueued = load.queued > 0
    const prefillMs = routed.prefillMs(knownTokens, promptTokens)
    const begunBy = isStreamed ? Number.POSITIVE_INFINITY : now + waitMs + prefillMs
    this.request = loadedRequest({ promptTokens, newTokens: promptTokens - knownTokens, prefillMs }, begunBy)
    load.sent(this.request, now)
    if (!this.#wasQueued) context.firstMs.add(context.beliefs.floor.value + prefillMs)
    lines.interactiveSent(now)
    routed.hasServed = true
    if (session !== null) index.touch(session[0]!, session[1]!, now)
    this.#life = index.pin(hashes, now)
    context.observer.placed(routed, prompt)
  }

  begun(): void {
    if (this.#hasEnded || this.#begunAt !== 0) return
    const { load } = this.#routed
    this.#begunAt = this.#context.clock.monotonic()
    this.#startedAt = Math.max(this.request.sentAt, load.headAt)
    load.begun(this.request, this.#begunAt)
    if (this.#teaches) this.#historyAtBegin = this.#history(this.#begunAt)
    this.#context.observer.changed(this.#routed)
  }

  ended(usage: Usage | undefined): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const { load, index } = this.#routed
    const { hashes } = this.#prompt
    const now = this.#context.clock.monotonic()
    const hadBegun = load.ended(this.request, now)
    this.#routed.lines.interactiveEnded(now)
    this.#context.observer.changed(this.#routed)
    if (hadBegun || usage !== undefined) index.unpin(hashes, now, this.#life)
    else index.withdraw(hashes, this.request.sentAt, this.#life, this.#expected.expected)
    if (usage === undefined) return
    if (usage.cachedTokens !== null) this.#learnCache(usage.promptTokens, usage.cachedTokens, now)
    this.#context.beliefs.ended(now - this.request.sentAt)
    if (this.#historyAtBegin !== undefined) this.#learnSpeed(usage, this.#historyAtBegin, now)
  }

  #learnCache(promptTokens: number, cachedTokens: number, now: number): void {
    const { model, observer, tokens } = this.#context
    const { cache, index } = this.#routed
    observer.cached(model, this.#knownTokens, cachedTokens)
    // Computed from the tokens of this prompt: the tokens per byte of texts differ widely.
    const reported = (cachedTokens / Math.max(1, promptTokens)) * (this.#prompt.length / CHUNK_BYTES)
    cache.learn({ ...this.#expected, reported }, CHUNK_BYTES * tokens.tokensPerByte * index.size, now)
  }

  /** What has been in progress, lines of batches included. */
  #history(now: number): LoadHistory {
    const requests = this.#routed.load.history(now)
    const lines = this.#routed.lines.load.history(now)
    return {
      prefillMs: requests.prefillMs + lines.prefillMs,
      kvTokenMs: requests.kvTokenMs + lines.kvTokenMs,
    }
  }

  get #knownTokens(): number {
    return this.request.promptTokens - this.request.newTokens
  }

  #learnSpeed({ cachedTokens, promptTokens, completionTokens }: Usage, before: LoadHistory, now: number): void {
    const { observer, beliefs: modelBeliefs } = this.#context
    const { beliefs, backend } = this.#routed
    const { routing } = backend.config
    const firstTokenMs = this.#begunAt - this.request.sentAt
    if (this.#predictedMs > 0) observer.firstToken(this.#routed, this.#predictedMs, firstTokenMs)
    const known = Math.min(cachedTokens ?? this.#knownTokens, promptTokens)
    const wasQueued = this.#wasQueued
    beliefs.prefilled(
      {
        newTokens: promptTokens - known,
        work: prefillWork(known, promptTokens, routing.attention_tokens),
        ms: wasQueued ? Math.max(0, this.#begunAt - this.#startedAt) : firstTokenMs,
        wasQueued,
      },
      routing,
      this.#begunAt,
    )
    const ms = now - this.#begunAt
    const after = this.#history(now)
    const answer = {
      tokens: completionTokens,
      ms,
      prefillShare: (after.prefillMs - before.prefillMs) / ms,
      kvTokens: (after.kvTokenMs - before.kvTokenMs) / ms,
    }
    beliefs.answered(answer)
    modelBeliefs.answered(answer, now)
  }
}

/** What the index expects of the backend's cache for a prompt with these hashes. */
function expectedCache(
  { index, load, lines }: RoutedBackend,
  hashes: Int32Array,
  now: number,
): Omit<CacheReport, 'reported'> {
  const expected = index.match(hashes, true)
  const remembered = index.match(hashes, false)
  const age = index.age(hashes, expected - 1, now)
  const isSettled = load.isSettled(now - age) && lines.load.isSettled(now - age)
  return { expected, remembered, wasOld: age > index.oldest(now) / 2 && isSettled }
}
