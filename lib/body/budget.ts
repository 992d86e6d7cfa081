import { failure, type GatewayError } from '../errors/errors.ts'
import { limitHeaders } from '../errors/limit-headers.ts'

/** Limits of the memory for request bodies, as in `memory:` of the configuration. */
export interface BudgetLimits {
  /** For all bodies of this process together. */
  readonly bodiesBytes: number
  /** The part of it that the bodies of one account may take together: above 0, at most 1. */
  readonly accountShare: number
  /** For how long a body waits for memory before it is refused. */
  readonly waitMs: number
}

/** What stands in the way of a body: the share of its account, or the budget of the process. */
export type BudgetLimit = 'account' | 'process'

/** The bodies of one account. There is one while it has any. */
interface Account {
  readonly id: string
  used: number
  bodies: number
  /** Of these: hold memory and wait for more. */
  growing: number
}

interface Waiter {
  /** What stood in its way when it began to wait. */
  readonly limit: BudgetLimit
  readonly charge: BodyCharge
  readonly bytes: number
  readonly timer: NodeJS.Timeout
  readonly settle: (refusal?: GatewayError) => void
}

/**
 * Most bodies that wait: the first bytes of each, up to 128 KB, are in memory already, because they came with its head. More are
 * refused at once.
 */
const MOST_WAITING = 500

/** Seconds after which a client may send its body again. */
const RETRY_AFTER = 1

/**
 * The memory that request bodies may hold in this process (docs/adr/0043). A body is charged for its bytes before they are
 * read and for the weight of its values as they are parsed, and gives everything back at once when its exchange releases it.
 * Where there is too little left it waits, unread, for a limited time.
 */
export class BodyBudget {
  #limits: BudgetLimits
  #used = 0
  #bodies = 0
  #growing = 0
  readonly #accounts = new Map<string, Account>()
  /** In the order in which they are served: bodies that hold memory already come first, because only they free any. */
  readonly #growers = new Set<Waiter>()
  readonly #newcomers = new Set<Waiter>()
  /** Called for each refused body. */
  onRefused: (limit: BudgetLimit) => void = () => {}

  constructor(limits: BudgetLimits) {
    this.#limits = limits
  }

  /** Applies the limits of a new configuration to what is charged from now on. */
  update(limits: BudgetLimits): void {
    this.#limits = limits
    this.#serve()
  }

  /** Bytes that bodies hold. */
  get used(): number {
    return this.#used
  }

  get limit(): number {
    return this.#limits.bodiesBytes
  }

  /** Bytes that the bodies of one account may hold together. */
  get share(): number {
    return Math.floor(this.#limits.bodiesBytes * this.#limits.accountShare)
  }

  /** Bodies that wait for memory. */
  get waiting(): number {
    return this.#growers.size + this.#newcomers.size
  }

  /** Accounts with a body: for tests. */
  get accounts(): number {
    return this.#accounts.size
  }

  /** The charge of one body. It must be released. */
  open(accountId: string): BodyCharge {
    return new BodyCharge(this, accountId)
  }

  /** What stands in the way of this many bytes more; undefined: nothing. New bodies do not pass those that wait for more. */
  blocks({ accountId, held }: BodyCharge, bytes: number): BudgetLimit | undefined {
    const account = this.#accounts.get(accountId)
    const isNew = held === 0 && this.#growers.size > 0
    if ((account?.used ?? 0) + bytes > this.share || (isNew && account !== undefined && account.growing > 0))
      return 'account'
    return this.#used + bytes > this.#limits.bodiesBytes || (isNew && this.#growsOfProcess()) ? 'process' : undefined
  }

  #growsOfProcess(): boolean {
    for (const { limit } of this.#growers) if (limit === 'process') return true
    return false
  }

  /** Takes the bytes, whether there is room for them or not. */
  take(charge: BodyCharge, bytes: number): void {
    const { accountId } = charge
    let account = this.#accounts.get(accountId)
    if (account === undefined) {
      account = { id: accountId, used: 0, bodies: 0, growing: 0 }
      this.#accounts.set(accountId, account)
    }
    if (charge.held === 0) {
      account.bodies++
      this.#bodies++
    }
    account.used += bytes
    this.#used += bytes
    charge.held += bytes
  }

  /** Gives back a part of what a body holds, or all of it. */
  giveBack(charge: BodyCharge, bytes: number): void {
    const account = this.#accounts.get(charge.accountId)!
    account.used -= bytes
    this.#used -= bytes
    charge.held -= bytes
    if (charge.held === 0) {
      this.#bodies--
      if (--account.bodies === 0) this.#accounts.delete(account.id)
    }
    if (this.waiting > 0) this.#serve()
  }

  /** Resolves when the bytes have been taken. Rejects with the refusal when that takes too long, or cannot happen. */
  wait(charge: BodyCharge, bytes: number): Promise<void> {
    const limit = this.blocks(charge, bytes)!
    const account = this.#accounts.get(charge.accountId)
    const isGrowing = charge.held > 0
    // All of them hold memory and wait for more: none would free any before its time is over.
    const isStuck =
      isGrowing && (limit === 'account' ? account!.growing + 1 >= account!.bodies : this.#growing + 1 >= this.#bodies)
    if (isStuck || this.waiting >= MOST_WAITING) return Promise.reject(this.#refusal(limit))
    const queue = isGrowing ? this.#growers : this.#newcomers
    return new Promise((resolve, reject) => {
      const count = (by: number) => {
        if (!isGrowing) return
        account!.growing += by
        this.#growing += by
      }
      const waiter: Waiter = {
        limit,
        charge,
        bytes,
        timer: setTimeout(() => waiter.settle(this.#refusal(this.blocks(charge, bytes) ?? limit)), this.#limits.waitMs),
        settle: refusal => {
          clearTimeout(waiter.timer)
          queue.delete(waiter)
          charge.stopWaiting = undefined
          count(-1)
          if (refusal === undefined) resolve()
          else reject(refusal)
        },
      }
      charge.stopWaiting = () => waiter.settle(this.#refusal(limit, false))
      queue.add(waiter)
      count(1)
    })
  }

  /** Gives waiting bodies what has become free. */
  #serve(): void {
    for (const queue of [this.#growers, this.#newcomers]) {
      for (const waiter of queue) {
        const { charge, bytes } = waiter
        if (this.blocks(charge, bytes) !== undefined) continue
        waiter.settle()
        this.take(charge, bytes)
      }
    }
    this.#unlock()
  }

  /** Where all that hold memory still wait for more: refuses the last of them. What it gives back is served in turn. */
  #unlock(): void {
    for (const waiter of [...this.#growers].reverse()) {
      const { bodies, growing } = this.#accounts.get(waiter.charge.accountId)!
      if (growing < bodies && this.#growing < this.#bodies) continue
      return waiter.settle(this.#refusal(waiter.limit))
    }
  }

  #refusal(limit: BudgetLimit, counts = true): GatewayError {
    if (counts) this.onRefused(limit)
    return limit === 'account' ? tooMuchOfAccount() : tooMuchOfProcess()
  }
}

/** What one body holds. Given back exactly once, however often it is released. */
export class BodyCharge {
  readonly accountId: string
  /** Bytes. Set by the budget alone, as `stopWaiting` is. */
  held = 0
  stopWaiting: (() => void) | undefined
  readonly #budget: BodyBudget
  #isReleased = false
  /** The last of those that ask by growInOrder() and have to wait. */
  #last: Promise<void> | undefined

  constructor(budget: BodyBudget, accountId: string) {
    this.#budget = budget
    this.accountId = accountId
  }

  /**
   * Takes this many bytes more. undefined: done. Otherwise nothing of the body may be read or parsed until the promise has
   * resolved; it rejects with 429 or 503. Throws 413 where the body would need more than the share of an account alone.
   */
  grow(more: number): Promise<void> | undefined {
    if (this.#isReleased || more <= 0) return undefined
    // Estimates have fractions, and sums of those do not come back to zero.
    const bytes = Math.ceil(more)
    const budget = this.#budget
    if (budget.blocks(this, bytes) === undefined) return void budget.take(this, bytes)
    if (this.held + bytes > budget.share) throw tooLargeForShare(budget.share)
    return budget.wait(this, bytes)
  }

  /** As grow(), for callers that may ask at the same time: one waits after the other. */
  growInOrder(bytes: number): Promise<void> | undefined {
    const waiting = this.#last === undefined ? this.grow(bytes) : this.#last.then(() => this.grow(bytes))
    if (waiting === undefined) return undefined
    const last = waiting.finally(() => {
      if (this.#last === last) this.#last = undefined
    })
    this.#last = last
    return last
  }

  /** Most that one body can hold. */
  get most(): number {
    return this.#budget.share
  }

  /** Gives back what is above this. */
  shrinkTo(bytes: number): void {
    const rest = Math.ceil(bytes)
    if (!this.#isReleased && this.held > rest && rest > 0) this.#budget.giveBack(this, this.held - rest)
  }

  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.stopWaiting?.()
    if (this.held > 0) this.#budget.giveBack(this, this.held)
  }
}

/** Trying again would not help. */
function tooLargeForShare(share: number): GatewayError {
  const message = `The body would need more memory than the ${share} bytes that one account may use.`
  return failure('request_body_too_large', { limit: share }, { message })
}

function tooMuchOfAccount(): GatewayError {
  return failure(
    'rate_limit_exceeded',
    { limit: 0 },
    {
      message: 'The request bodies of this account use all of the memory that one account may use: send fewer at once.',
      headers: limitHeaders(0, RETRY_AFTER),
    },
  )
}

function tooMuchOfProcess(): GatewayError {
  return failure(
    'internal_error',
    {},
    {
      status: 503,
      message: 'The gateway has no memory left for this request body: send it again.',
      headers: { 'retry-after': String(RETRY_AFTER) },
    },
  )
}
