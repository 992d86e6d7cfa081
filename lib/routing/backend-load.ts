import { type Linked, LinkedList } from '../base/linked-list.ts'

/** A request that has been sent and has not begun to be answered. Times are monotonic milliseconds. */
export interface Queued extends Linked<Queued> {
  /** Time that its prefill is expected to take. */
  readonly prefillMs: number
  /** From then on it counts as begun although nothing has come: a reply that is not streamed shows no first token. */
  readonly begunBy: number
  sentAt: number
}

export function newQueued(prefillMs: number, begunBy = Number.POSITIVE_INFINITY): Queued {
  return { prefillMs, begunBy, sentAt: 0, previous: null, next: null, isListed: false }
}

/** The requests of another process at the same backend, as it has reported them. */
export interface RemoteLoad {
  readonly queuedMs: number
  readonly firstMs: number
  /** On this process's clock. */
  readonly head: number
  readonly answers: number
  readonly promptTokens: number
}

/** What is under way at one backend: prefills that it has still to do, and answers that it is generating. */
export class BackendLoad {
  /** The oldest first. */
  readonly #queue = new LinkedList<Queued>()
  readonly #remote = new Map<string, RemoteLoad>()
  #queuedMs = 0
  /** When the last request began to be answered, or the queue began. */
  #head = 0
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

  /** Milliseconds of prefill that are queued. */
  get queuedMs(): number {
    let sum = this.#queuedMs
    for (const { queuedMs } of this.#remote.values()) sum += queuedMs
    return sum
  }

  /**
   * Milliseconds until the queue is worked off: the part of it that must have been done since `head` is taken off, but
   * never more than its first request, which has not begun to be answered.
   */
  wait(now: number): number {
    this.#expire(now)
    const oldest = this.#queue.first
    let queued = this.#queuedMs
    let first = oldest?.prefillMs ?? 0
    let head = oldest === null ? Number.NEGATIVE_INFINITY : this.#head
    for (const remote of this.#remote.values()) {
      if (remote.queuedMs === 0) continue
      queued += remote.queuedMs
      first = Math.max(first, remote.firstMs)
      head = Math.max(head, remote.head)
    }
    return queued === 0 ? 0 : Math.max(0, queued - first, queued - (now - head))
  }

  sent(queued: Queued, promptTokens: number, now: number): void {
    this.#expire(now)
    if (this.#queue.first === null) {
      this.#head = now
      this.#queuedMs = 0
    }
    queued.sentAt = now
    this.#queue.add(queued)
    this.#queuedMs += queued.prefillMs
    this.#promptTokens += promptTokens
  }

  /** The answer has begun. False: it already counted as begun. */
  begun(queued: Queued, now: number): boolean {
    if (!this.#leave(queued)) return false
    this.#head = now
    this.#answers++
    return true
  }

  /**
   * The answer is over, or the request has failed or was cancelled. To be called once. False: it had not begun to be
   * answered.
   */
  ended(queued: Queued, promptTokens: number): boolean {
    const hadBegun = !this.#leave(queued)
    if (hadBegun) this.#answers--
    this.#promptTokens -= promptTokens
    return hadBegun
  }

  /** Whether prompts that were sent until this time are known to be computed, or to be gone. */
  settled(until: number): boolean {
    for (const { queuedMs } of this.#remote.values()) if (queuedMs > 0) return false
    const oldest = this.#queue.first
    return oldest === null || oldest.sentAt > until
  }

  /** What this process has under way, for others. */
  own(now: number): RemoteLoad {
    this.#expire(now)
    const oldest = this.#queue.first
    return {
      queuedMs: oldest === null ? 0 : this.#queuedMs,
      firstMs: oldest?.prefillMs ?? 0,
      head: this.#head,
      answers: this.#answers,
      promptTokens: this.#promptTokens,
    }
  }

  /** undefined: the process has nothing under way, or has ended. */
  setRemote(process: string, load: RemoteLoad | undefined): void {
    if (load === undefined) this.#remote.delete(process)
    else this.#remote.set(process, load)
  }

  #leave(queued: Queued): boolean {
    if (!this.#queue.delete(queued)) return false
    // Sums of fractions drift: an empty queue is exactly empty.
    this.#queuedMs = this.#queue.first === null ? 0 : this.#queuedMs - queued.prefillMs
    return true
  }

  #expire(now: number): void {
    for (let queued = this.#queue.first, next: Queued | null; queued !== null; queued = next) {
      next = queued.next
      if (queued.begunBy <= now) this.begun(queued, queued.begunBy)
    }
  }
}
