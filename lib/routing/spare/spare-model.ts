import type { Backend, Placement } from '../../backends/backend.ts'
import type { HeldBack } from '../../batches/spare.ts'
import { addedStepMs, type ModelSpeed } from '../cost.ts'
import type { ModelRouting } from '../model-routing.ts'
import type { Prompt } from '../prompt.ts'
import type { RoutedBackend } from '../routed-backend.ts'
import { MovingMean } from '../samples.ts'
import { LinePlacement } from './line-placement.ts'
import {
  allowedGrowth,
  crowding,
  growthOf,
  heldBack,
  heldBackOffline,
  isGuarded,
  type LineCandidate,
  type Loss,
  maxLines,
  noticedMs,
  type SpareLimits,
} from './rule.ts'

/** A model without interactive requests for this time is offline. */
const OFFLINE_MS = 10_000
/** Tokens of an answer and of a prompt, before lines have shown them. */
const ANSWER_TOKENS = 256
const PROMPT_TOKENS = 500
const NEWEST_WEIGHT = 0.1

/** The reasons in the order of the rule. The last one of all backends is shown. */
const ORDER: readonly HeldBack[] = ['room', 'prompt', 'growth', 'decode', 'guard']

/** What a decision at all candidates depends on. */
interface Decision {
  readonly now: number
  readonly limits: SpareLimits
  readonly speed: ModelSpeed
  readonly allowedMs: number
  /** null: the model is offline. */
  readonly loss: Loss | null
}

interface LineSize {
  readonly promptTokens: number
  /** Tokens at the start of the prompt that the backend is believed to have cached. */
  readonly knownTokens: number
}

/** What a line would do at one backend. */
interface Option {
  readonly backend: Backend
  readonly why: HeldBack | null
  readonly growthMs: number
  readonly ownMs: number
}

/** The rule for the lines of one model. */
export class SpareModel {
  readonly #routing: ModelRouting
  readonly #answerTokens = new MovingMean(NEWEST_WEIGHT)
  readonly #promptTokens = new MovingMean(NEWEST_WEIGHT)

  constructor(routing: ModelRouting) {
    this.#routing = routing
  }

  /** Whether no backend has an interactive request, or has had one in the last ten seconds. */
  isOffline(): boolean {
    const now = this.#routing.context.clock.monotonic()
    return this.#routing.backends.every(
      ({ load, lines }) => load.queuedAt(now) + load.answers === 0 && now - lines.interactiveAt >= OFFLINE_MS,
    )
  }

  /** Lines in flight at the server of this backend, of all processes. */
  linesAt(backend: Backend): number {
    return this.#routing.of(backend).lines.count
  }

  /** The line is sent to this backend now. */
  place(backend: Backend, prompt: Prompt): Placement {
    this.#promptTokens.add(prompt.length * this.#routing.tokensPerByte)
    return new LinePlacement(this.#routing.context, this.#routing.of(backend), prompt, this.#answerTokens)
  }

  /** The backend to which a line with this prompt may be sent now, or why it is held back. */
  choose(candidates: readonly Backend[], prompt: Prompt, limits: SpareLimits, isOffline: boolean): Backend | HeldBack {
    const decision = this.#decision(candidates, limits, isOffline)
    const { tokensPerByte } = this.#routing
    const promptTokens = prompt.length * tokensPerByte
    let best: Option | undefined
    let reason: HeldBack = 'room'
    for (const backend of candidates) {
      const routed = this.#routing.of(backend)
      routed.fit(tokensPerByte, decision.now)
      const option = this.#option(
        routed,
        { promptTokens, knownTokens: routed.knownTokens(prompt, tokensPerByte) },
        decision,
      )
      const { why } = option
      if (why !== null) reason = ORDER.indexOf(why) > ORDER.indexOf(reason) ? why : reason
      else if (best === undefined || isBetter(option, best)) best = option
    }
    return best?.backend ?? reason
  }

  /** How many lines of the usual size could be sent to these backends now. */
  slots(candidates: readonly Backend[], limits: SpareLimits, isOffline: boolean): number {
    const decision = this.#decision(candidates, limits, isOffline)
    const size = { promptTokens: this.#promptTokens.value || PROMPT_TOKENS, knownTokens: 0 }
    let slots = 0
    for (const backend of candidates) {
      if (this.#option(this.#routing.of(backend), size, decision).why !== null) continue
      slots += isOffline ? maxLines(limits, backend.limit, true) - this.linesAt(backend) : 1
    }
    return slots
  }

  #decision(candidates: readonly Backend[], limits: SpareLimits, isOffline: boolean): Decision {
    const { clock, firstMs } = this.#routing.context
    const now = clock.monotonic()
    const speed = this.#routing.speed(candidates)
    const loss = isOffline ? null : this.#loss(speed, now)
    return { now, limits, speed, allowedMs: allowedGrowth(limits, firstMs.value), loss }
  }

  #option(routed: RoutedBackend, { promptTokens, knownTokens }: LineSize, decision: Decision): Option {
    const { load, lines, cache, backend } = routed
    const { now, limits, speed, allowedMs, loss } = decision
    const ownMs = routed.prefillMs(knownTokens, promptTokens)
    const beforeMs = addedStepMs(lines.load, speed, now)
    const metBeforeMs = lines.metMs(now)
    const candidate: LineCandidate = {
      queued: load.queuedAt(now),
      queuedLines: lines.load.queuedAt(now),
      queuedLinesMs: lines.load.wait(now),
      lines: lines.count,
      maxLines: maxLines(limits, backend.limit, loss === null),
      addedMs: beforeMs + 1 / speed.workPerMs + speed.kvMs * promptTokens,
      metMs: metBeforeMs + ownMs ** 2 / 2 / lines.spanMs(now),
      stepMs: speed.stepMs,
      heldByLines:
        lines.load.heldTokens(now) + promptTokens - knownTokens + (this.#answerTokens.value || ANSWER_TOKENS),
      heldByOthers: load.heldTokens(now),
      cacheTokens: cache.tokens,
    }
    const growthMs = growthOf(candidate.addedMs, candidate.metMs)
    const of = (why: HeldBack | null): Option => ({ backend, why, growthMs, ownMs })
    if (loss === null) return of(heldBackOffline(candidate, limits))
    const why = heldBack(candidate, limits, allowedMs)
    if (why !== null) return of(why)
    const { firstMs } = this.#routing.context
    const delayed = this.#delayedPerMs(routed, now)
    const moreMs = growthMs - growthOf(beforeMs, metBeforeMs)
    const more: Loss = {
      requestsPerMs: loss.requestsPerMs,
      lossShare: loss.lossShare + delayed * moreMs,
      meetingPerMs: loss.meetingPerMs + (delayed * noticedMs(ownMs, firstMs.value)) / lines.spanMs(now),
    }
    return of(isGuarded(more, limits, allowedMs) ? 'guard' : null)
  }

  /** What interactive requests of all backends lose now. */
  #loss(speed: ModelSpeed, now: number): Loss {
    let requestsPerMs = 0
    let lossShare = 0
    let meetingPerMs = 0
    for (const routed of this.#routing.backends) {
      const { lines, backend } = routed
      requestsPerMs += lines.requestsPerMs(now)
      const delayed = this.#delayedPerMs(routed, now)
      lossShare += delayed * growthOf(addedStepMs(lines.load, speed, now), lines.metMs(now))
      meetingPerMs += delayed * lines.busyShare(now)
      if (backend.config.profile.cache_by_priority) continue
      lossShare += lines.evictedShare(now)
      meetingPerMs += lines.delayedPerMs(now)
    }
    return { requestsPerMs, lossShare, meetingPerMs }
  }

  /** Requests per millisecond that a delay at this backend reaches: those that meet it or wait for one that does. */
  #delayedPerMs({ lines }: RoutedBackend, now: number): number {
    const rate = lines.requestsPerMs(now)
    return rate * crowding(rate, this.#routing.context.firstMs.value)
  }
}

/** Equal beginnings first where they are, then the least growth. */
function isBetter(one: Option, other: Option): boolean {
  return (Math.round(one.ownMs) - Math.round(other.ownMs) || one.growthMs - other.growthMs) < 0
}
