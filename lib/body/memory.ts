/** The memory of request bodies: its limit, and uploads that hold it without progress. */
import { type ListMember, SwapRemoveList } from '../base/swap-remove-list.ts'
import { failure, type GatewayError } from '../errors/errors.ts'
import { limitHeaders } from '../errors/limit-headers.ts'

/** Memory limits of request bodies, as in `memory:` of the configuration. */
export interface MemoryLimits {
  /** For all bodies of this process together. */
  readonly bodiesBytes: number
  /** The part of it that the bodies of one account may use together: above 0, at most 1. */
  readonly accountShare: number
  /** Maximum time that a body waits for memory. */
  readonly waitMs: number
}

/** The limit that refuses a body: the share of its account, or the memory of the process. */
type MemoryLimit = 'account' | 'process'

interface Waiter {
  readonly charge: BodyCharge
  readonly bytes: number
  settle(refusal?: GatewayError): void
}

/** Bodies that may wait for memory. Up to 128 KB of each have arrived with its head, so further ones are refused. */
const MAX_WAITING = 500

/** Seconds after which a client may send its body again. */
const RETRY_AFTER = 1

/** Memory for the request bodies of this process, charged before they are read (docs/adr/0043). */
export class BodyMemory {
  #limits: MemoryLimits
  #used = 0
  /** Bytes by account id. */
  readonly #accounts = new Map<string, number>()
  /** In order of arrival. A body that does not fit does not delay those of other accounts. */
  readonly #waiters = new Set<Waiter>()
  /** Called for each refused body. */
  onRefused: (limit: MemoryLimit) => void = () => {}

  constructor(limits: MemoryLimits) {
    this.#limits = limits
  }

  /** Sets the limits for later charges. */
  update(limits: MemoryLimits): void {
    this.#limits = limits
    this.#serve()
  }

  get used(): number {
    return this.#used
  }

  get limit(): number {
    return this.#limits.bodiesBytes
  }

  /** Bytes that the bodies of one account may use together. */
  get share(): number {
    return Math.floor(this.#limits.bodiesBytes * this.#limits.accountShare)
  }

  get waiting(): number {
    return this.#waiters.size
  }

  /** The charge of one body. It must be released. */
  open(accountId: string): BodyCharge {
    return new BodyCharge(this, accountId)
  }

  /** The limit that these further bytes exceed; undefined: none. */
  exceeded(accountId: string, bytes: number): MemoryLimit | undefined {
    if ((this.#accounts.get(accountId) ?? 0) + bytes > this.share) return 'account'
    return this.#used + bytes > this.#limits.bodiesBytes ? 'process' : undefined
  }

  count(accountId: string, bytes: number): void {
    this.#used += bytes
    const held = (this.#accounts.get(accountId) ?? 0) + bytes
    if (held === 0) this.#accounts.delete(accountId)
    else this.#accounts.set(accountId, held)
    if (bytes < 0 && this.#waiters.size > 0) this.#serve()
  }

  /** Resolves when the bytes are charged. Rejects with 429 or 503 after `waitMs`, or if too many bodies wait. */
  wait(charge: BodyCharge, bytes: number): Promise<void> {
    if (this.#waiters.size >= MAX_WAITING) return Promise.reject(this.refusal(charge.accountId, bytes))
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => waiter.settle(this.refusal(charge.accountId, bytes)), this.#limits.waitMs)
      const waiter: Waiter = {
        charge,
        bytes,
        settle: refusal => {
          clearTimeout(timer)
          this.#waiters.delete(waiter)
          charge.stopWaiting = undefined
          if (refusal === undefined) resolve()
          else reject(refusal)
        },
      }
      charge.stopWaiting = () => waiter.settle(this.#refusalBy('account'))
      this.#waiters.add(waiter)
    })
  }

  /** Charges the waiting bodies that fit now. */
  #serve(): void {
    for (const waiter of this.#waiters) {
      const { charge, bytes } = waiter
      if (this.exceeded(charge.accountId, bytes) !== undefined) continue
      waiter.settle()
      charge.take(bytes)
    }
  }

  /** Counts a refused body and returns its error. */
  refusal(accountId: string, bytes: number): GatewayError {
    const limit = this.exceeded(accountId, bytes) ?? 'process'
    this.onRefused(limit)
    return this.#refusalBy(limit)
  }

  #refusalBy(limit: MemoryLimit): GatewayError {
    if (limit === 'account') {
      const headers = limitHeaders(this.share, RETRY_AFTER)
      return failure('request_memory_exceeded', { limit: this.share }, { headers })
    }
    return failure('gateway_overloaded', {}, { headers: { 'retry-after': String(RETRY_AFTER) } })
  }
}

/** The memory that is charged for one body. */
export class BodyCharge {
  readonly accountId: string
  /** Ends the wait for memory with a refusal; undefined: the body does not wait. */
  stopWaiting: (() => void) | undefined
  readonly #memory: BodyMemory
  #held = 0
  #isReleased = false

  constructor(memory: BodyMemory, accountId: string) {
    this.#memory = memory
    this.accountId = accountId
  }

  get held(): number {
    return this.#held
  }

  /** Maximum of `held`. */
  get max(): number {
    return this.#memory.share
  }

  /** Charges the first bytes. Await a returned promise before reading. Rejects with 429 or 503, throws 413. */
  reserve(bytes: number): Promise<void> | undefined {
    if (this.#isReleased || bytes === 0) return undefined
    if (bytes > this.max) throw tooLarge(this.max)
    if (this.#memory.exceeded(this.accountId, bytes) !== undefined) return this.#memory.wait(this, bytes)
    this.take(bytes)
    return undefined
  }

  /** Charges further bytes. Throws 413, 429 or 503 if they are not available: a body that holds memory never waits. */
  grow(bytes: number): void {
    if (this.#isReleased || bytes <= 0) return
    if (this.#held + bytes > this.max) throw tooLarge(this.max)
    if (this.#memory.exceeded(this.accountId, bytes) !== undefined) throw this.#memory.refusal(this.accountId, bytes)
    this.take(bytes)
  }

  /** Corrects the charge to the memory that the body really uses. Throws like grow(). */
  settle(bytes: number): void {
    if (bytes > this.#held) this.grow(bytes - this.#held)
    else if (!this.#isReleased && bytes < this.#held) this.take(bytes - this.#held)
  }

  /** Charges bytes without a check. */
  take(bytes: number): void {
    this.#held += bytes
    this.#memory.count(this.accountId, bytes)
  }

  /** Returns everything. Only the first call has an effect. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.stopWaiting?.()
    if (this.#held > 0) this.take(-this.#held)
  }
}

/** The refusal of a body that would not fit later either. */
function tooLarge(share: number): GatewayError {
  const message = `The body would need more memory than the ${share} bytes that one account may use.`
  return failure('request_body_too_large', { limit: share }, { message })
}

/** A body that is being read. */
interface WatchedUpload {
  readonly received: number
  /** The reader, and not the client, is slow. */
  readonly isHeldUp?: boolean
  /** Aborts reading the body. */
  onStalled(): void
}

/** Bytes that must arrive within each period: 400 bytes per second with the default period. */
const MIN_BYTES = 4096

/** Checks per period. */
const CHECKS = 4

interface Progress extends ListMember {
  readonly upload: WatchedUpload
  /** Bytes at the beginning of the period, and checks since then. */
  from: number
  checks: number
}

/** Aborts uploads that hardly progress. They would hold memory of their account for minutes. */
export class SlowUploads {
  readonly #watched = new SwapRemoveList<Progress>()
  #timer: NodeJS.Timeout | undefined

  /** `idleMs`: the period. */
  constructor(idleMs: number) {
    this.update(idleMs)
  }

  update(idleMs: number): void {
    clearInterval(this.#timer)
    if (idleMs === Number.POSITIVE_INFINITY) return
    this.#timer = setInterval(this.#check, Math.max(1, idleMs / CHECKS))
    this.#timer.unref()
  }

  /** Bodies that are being read. */
  get count(): number {
    return this.#watched.size
  }

  /** Returns a function that ends the watch. */
  watch(upload: WatchedUpload): () => void {
    const progress = { upload, from: 0, checks: 0, listIndex: -1 }
    this.#watched.add(progress)
    return () => this.#watched.delete(progress)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  readonly #check = (): void => {
    for (const progress of this.#watched.values()) {
      const { upload } = progress
      if (upload.isHeldUp === true || upload.received - progress.from >= MIN_BYTES) {
        progress.from = upload.received
        progress.checks = 0
      } else if (++progress.checks > CHECKS) upload.onStalled()
    }
  }
}
