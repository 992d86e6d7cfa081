import { type Linked, LinkedList } from '../base/linked-list.ts'

/** A request whose answer has not begun. Times are monotonic milliseconds. */
export interface QueuedRequest extends Linked<QueuedRequest> {
  /** Expected time of its prefill. */
  readonly prefillMs: number
  /** The answer counts as begun from this time on, because a reply without a stream does not show its first token. */
  readonly begunBy: number
  sentAt: number
}

export function newQueued(prefillMs: number, begunBy = Number.POSITIVE_INFINITY): QueuedRequest {
  return { prefillMs, begunBy, sentAt: 0, previous: null, next: null, isListed: false }
}

/** The load that one process causes at a backend. */
interface ProcessLoad {
  /** Expected time of all queued prefills. */
  readonly queuedMs: number
  /** Expected time of the oldest queued prefill. */
  readonly firstMs: number
  /** When the oldest queued prefill could start: the last answer had begun, or the queue was empty before. */
  readonly headAt: number
  readonly answers: number
  readonly promptTokens: number
}

/** The load of one backend: queued prefills, and answers that are being generated. */
export class BackendLoad {
  /** The oldest request first. */
  readonly #queue = new LinkedList<QueuedRequest>()
  /** The load of other processes, by process. Times are on the clock of this process. */
  readonly #remote = new Map<string, ProcessLoad>()
  #queuedMs = 0
  #headAt = 0
  #answers = 0
  #promptTokens = 0

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

  /** Expected time of all queued prefills, in milliseconds. */
  get queuedMs(): number {
    let sum = this.#queuedMs
    for (const { queuedMs } of this.#remote.values()) sum += queuedMs
    return sum
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
      if (remote.queuedMs === 0) continue
      queued += remote.queuedMs
      first = Math.max(first, remote.firstMs)
      headAt = Math.max(headAt, remote.headAt)
    }
    return queued === 0 ? 0 : Math.max(0, queued - first, queued - (now - headAt))
  }

  sent(queued: QueuedRequest, promptTokens: number, now: number): void {
    this.#expire(now)
    if (this.#queue.first === null) {
      this.#headAt = now
      this.#queuedMs = 0
    }
    queued.sentAt = now
    this.#queue.add(queued)
    this.#queuedMs += queued.prefillMs
    this.#promptTokens += promptTokens
  }

  /** The answer has begun. Returns false if it already counted as begun. */
  begun(queued: QueuedRequest, now: number): boolean {
    if (!this.#remove(queued)) return false
    this.#headAt = now
    this.#answers++
    return true
  }

  /** The request has ended in any way. To be called once. Returns false if its answer had not begun. */
  ended(queued: QueuedRequest, promptTokens: number): boolean {
    const hadBegun = !this.#remove(queued)
    if (hadBegun) this.#answers--
    this.#promptTokens -= promptTokens
    return hadBegun
  }

  /** Whether every prompt that was sent until this time is computed, or was dropped. */
  isSettled(until: number): boolean {
    for (const { queuedMs } of this.#remote.values()) if (queuedMs > 0) return false
    const oldest = this.#queue.first
    return oldest === null || oldest.sentAt > until
  }

  /** The load of this process, for other processes. */
  own(now: number): ProcessLoad {
    this.#expire(now)
    const oldest = this.#queue.first
    return {
      queuedMs: oldest === null ? 0 : this.#queuedMs,
      firstMs: oldest?.prefillMs ?? 0,
      headAt: this.#headAt,
      answers: this.#answers,
      promptTokens: this.#promptTokens,
    }
  }

  /** `load`: that of another process; undefined: it has no requests in flight, or has ended. */
  setRemote(process: string, load: ProcessLoad | undefined): void {
    if (load === undefined) this.#remote.delete(process)
    else this.#remote.set(process, load)
  }

  #remove(queued: QueuedRequest): boolean {
    if (!this.#queue.delete(queued)) return false
    // Sums of fractions drift. The sum of an empty queue is exactly 0.
    this.#queuedMs = this.#queue.first === null ? 0 : this.#queuedMs - queued.prefillMs
    return true
  }

  #expire(now: number): void {
    for (let queued = this.#queue.first, next: QueuedRequest | null; queued !== null; queued = next) {
      next = queued.next
      if (queued.begunBy <= now) this.begun(queued, queued.begunBy)
    }
  }
}
