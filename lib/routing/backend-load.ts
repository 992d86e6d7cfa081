import { type Linked, LinkedList } from '../base/linked-list.ts'

/** A request at a backend. Times are monotonic milliseconds. */
export interface LoadedRequest extends Linked<LoadedRequest> {
  readonly promptTokens: number
  /** Tokens of the prompt that the backend is not believed to have cached. */
  readonly newTokens: number
  /** Expected time of its prefill. */
  readonly prefillMs: number
  /** The answer counts as begun from this time on, because a reply without a stream does not show its first token. */
  readonly begunBy: number
  sentAt: number
  /** 0: the answer has not begun. */
  begunAt: number
}

type RequestSize = Pick<LoadedRequest, 'promptTokens' | 'newTokens' | 'prefillMs'>

export function loadedRequest(size: RequestSize, begunBy = Number.POSITIVE_INFINITY): LoadedRequest {
  return { ...size, begunBy, sentAt: 0, begunAt: 0, previous: null, next: null, isListed: false }
}

/** The load that one process causes at a backend. Times are on the clock of this process. */
export interface ProcessLoad {
  /** Requests whose answers have not begun. */
  readonly queued: number
  /** Expected time of all queued prefills. */
  readonly queuedMs: number
  /** Expected time of the oldest queued prefill. */
  readonly firstMs: number
  /** When the oldest queued prefill could start: the last answer had begun, or the queue was empty before. */
  readonly headAt: number
  readonly answers: number
  /** Sum of the times at which these answers began. */
  readonly begunSum: number
  /** Tokens of all prompts in flight. */
  readonly promptTokens: number
  /** Those of them that the backend is not believed to have cached. */
  readonly newTokens: number
}

/** What has been in progress at a backend since it is known, in sums over time. */
export interface LoadHistory {
  /** Milliseconds with queued prefills. */
  readonly prefillMs: number
  /** Tokens in the KV cache, times milliseconds. */
  readonly kvTokenMs: number
}

/** The load of one backend: queued prefills, and answers that are being generated. */
export class BackendLoad {
  /** The oldest request first. */
  readonly #queue = new LinkedList<LoadedRequest>()
  /** The load of other processes, by process. */
  readonly #remote = new Map<string, ProcessLoad>()
  /** Milliseconds per token of an answer; 0: unknown. */
  readonly #paceMs: () => number
  #queued = 0
  #queuedMs = 0
  #headAt = 0
  #answers = 0
  #begunSum = 0
  #promptTokens = 0
  #newTokens = 0
  #prefillMs = 0
  #kvTokenMs = 0
  /** The sums over time include everything until here. */
  #summedAt = 0

  constructor(paceMs: () => number) {
    this.#paceMs = paceMs
  }

  /** Requests of all processes whose answers have not begun. */
  get queued(): number {
    let sum = this.#queued
    for (const { queued } of this.#remote.values()) sum += queued
    return sum
  }

  /** `queued`, after those whose answers count as begun by now. */
  queuedAt(now: number): number {
    this.#expire(now)
    return this.queued
  }

  /** Answers that are being generated. */
  get answers(): number {
    let sum = this.#answers
    for (const { answers } of this.#remote.values()) sum += answers
    return sum
  }

  /** Tokens of all prompts in flight. */
  get promptTokens(): number {
    let sum = this.#promptTokens
    for (const { promptTokens } of this.#remote.values()) sum += promptTokens
    return sum
  }

  /** Estimate of the tokens that the answers in flight have. */
  answerTokens(now: number): number {
    let ms = this.#answers * now - this.#begunSum
    for (const { answers, begunSum } of this.#remote.values()) ms += answers * now - begunSum
    const pace = this.#paceMs()
    return pace === 0 ? 0 : Math.max(0, ms) / pace
  }

  /** Tokens in the KV cache that belong to requests in flight and were not cached before. */
  heldTokens(now: number): number {
    let sum = this.#newTokens
    for (const { newTokens } of this.#remote.values()) sum += newTokens
    return sum + this.answerTokens(now)
  }

  /** When the last answer of any process began, or the queue was empty before. */
  get headAt(): number {
    let headAt = this.#headAt
    for (const remote of this.#remote.values()) headAt = Math.max(headAt, remote.headAt)
    return headAt
  }

  /**
   * Expected milliseconds until all queued prefills are done. The time since `headAt` is subtracted, but no more than
   * the oldest prefill, because its answer has not begun.
   */
  wait(now: number): number {
    this.#expire(now)
    const oldest = this.#queue.first
    let queued = this.#queuedMs
    let first = oldest?.prefillMs ?? 0
    let headAt = oldest === null ? Number.NEGATIVE_INFINITY : this.#headAt
    for (const remote of this.#remote.values()) {
      if (remote.queued === 0) continue
      queued += remote.queuedMs
      first = Math.max(first, remote.firstMs)
      headAt = Math.max(headAt, remote.headAt)
    }
    return queued === 0 ? 0 : Math.max(0, queued - first, queued - (now - headAt))
  }

  sent(request: LoadedRequest, now: number): void {
    this.#expire(now)
    this.#sum(now)
    if (this.#queue.first === null) this.#headAt = now
    request.sentAt = now
    this.#queue.add(request)
    this.#queued++
    this.#queuedMs += request.prefillMs
    this.#promptTokens += request.promptTokens
    this.#newTokens += request.newTokens
  }

  /** The answer has begun. Returns false if it already counted as begun. */
  begun(request: LoadedRequest, now: number): boolean {
    this.#sum(now)
    if (!this.#remove(request)) return false
    this.#headAt = now
    this.#answers++
    this.#begunSum += now
    request.begunAt = now
    return true
  }

  /** The request has ended in any way. To be called once. Returns false if its answer had not begun. */
  ended(request: LoadedRequest, now: number): boolean {
    this.#sum(now)
    const hadBegun = !this.#remove(request)
    if (hadBegun) {
      this.#answers--
      this.#begunSum = this.#answers === 0 ? 0 : this.#begunSum - request.begunAt
    }
    const isIdle = this.#answers === 0 && this.#queued === 0
    this.#promptTokens = isIdle ? 0 : this.#promptTokens - request.promptTokens
    this.#newTokens = isIdle ? 0 : this.#newTokens - request.newTokens
    return hadBegun
  }

  /** Whether every prompt that was sent until this time is computed, or was dropped. */
  isSettled(until: number): boolean {
    for (const { queued } of this.#remote.values()) if (queued > 0) return false
    const oldest = this.#queue.first
    return oldest === null || oldest.sentAt > until
  }

  history(now: number): LoadHistory {
    this.#sum(now)
    return { prefillMs: this.#prefillMs, kvTokenMs: this.#kvTokenMs }
  }

  /** The other process with the most requests; undefined: there is none. */
  get busiestRemote(): string | undefined {
    let most = 0
    let busiest: string | undefined
    for (const [process, { queued, answers }] of this.#remote) {
      if (queued + answers <= most) continue
      most = queued + answers
      busiest = process
    }
    return busiest
  }

  /** The load of this process, for other processes. */
  own(now: number): ProcessLoad {
    this.#expire(now)
    return {
      queued: this.#queued,
      queuedMs: this.#queuedMs,
      firstMs: this.#queue.first?.prefillMs ?? 0,
      headAt: this.#headAt,
      answers: this.#answers,
      begunSum: this.#begunSum,
      promptTokens: this.#promptTokens,
      newTokens: this.#newTokens,
    }
  }

  /** `load`: that of another process; undefined: it has no requests in flight, or has ended. */
  setRemote(process: string, load: ProcessLoad | undefined, now: number): void {
    this.#sum(now)
    if (load === undefined) this.#remote.delete(process)
    else this.#remote.set(process, load)
  }

  #remove(request: LoadedRequest): boolean {
    if (!this.#queue.delete(request)) return false
    this.#queued--
    // Sums of fractions drift. The sum of an empty queue is exactly 0.
    this.#queuedMs = this.#queued === 0 ? 0 : this.#queuedMs - request.prefillMs
    return true
  }

  #expire(now: number): void {
    for (let request = this.#queue.first, next: LoadedRequest | null; request !== null; request = next) {
      next = request.next
      if (request.begunBy <= now) this.begun(request, request.begunBy)
    }
  }

  /** Adds the time since the last change to the sums. */
  #sum(now: number): void {
    const ms = now - this.#summedAt
    if (ms <= 0) return
    if (this.queued > 0) this.#prefillMs += ms
    this.#kvTokenMs += ms * (this.promptTokens + this.answerTokens(now - ms / 2))
    this.#summedAt = now
  }
}
