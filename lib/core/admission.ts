import type { Key } from '../accounts/access.ts'
import { failure } from '../errors/errors.ts'
import { limitHeaders } from '../errors/limit-headers.ts'

/** What one key, and one account, may have at the same time in this process. */
export interface AdmissionLimits {
  /** Requests from the end of their head to the end of their response. */
  readonly requestsPerKey: number
  readonly requestsPerAccount: number
  /** Of these: the body is being read, or waits for memory. */
  readonly bodiesPerKey: number
  readonly bodiesPerAccount: number
}

export type AdmissionLimit = keyof AdmissionLimits

/** The requests of one key or of one account. There is one while it has any. */
interface Count {
  requests: number
  bodies: number
}

/** No limit. */
export const UNLIMITED: AdmissionLimits = {
  requestsPerKey: Number.POSITIVE_INFINITY,
  requestsPerAccount: Number.POSITIVE_INFINITY,
  bodiesPerKey: Number.POSITIVE_INFINITY,
  bodiesPerAccount: Number.POSITIVE_INFINITY,
}

/**
 * Bounds what one key and one account hold of a process, so that none of them takes all file descriptors (docs/adr/0059). Outlives
 * a reload.
 */
export class Admission {
  #limits: AdmissionLimits
  readonly #keys = new Map<string, Count>()
  readonly #accounts = new Map<string, Count>()
  /** Called for each refused request. */
  onRefused: (limit: AdmissionLimit) => void = () => {}

  constructor(limits: AdmissionLimits = UNLIMITED) {
    this.#limits = limits
  }

  /** Applies the limits of a new configuration to what begins from now on. */
  update(limits: AdmissionLimits): void {
    this.#limits = limits
  }

  /** Keys and accounts with a request in flight. */
  get size(): number {
    return this.#keys.size + this.#accounts.size
  }

  /** Counts a request, until it ends. Throws 429 where its key or its account has too many. */
  enter({ id, account }: Key): AdmittedRequest {
    const { requestsPerKey, requestsPerAccount } = this.#limits
    if ((this.#keys.get(id)?.requests ?? 0) >= requestsPerKey) throw this.#tooMany('requestsPerKey')
    if ((this.#accounts.get(account.id)?.requests ?? 0) >= requestsPerAccount) throw this.#tooMany('requestsPerAccount')
    return new AdmittedRequest(this, id, account.id)
  }

  /** Changes the number of requests of a key and its account. */
  count(key: string, account: string, by: 1 | -1): void {
    countIn(this.#keys, key, by)
    countIn(this.#accounts, account, by)
  }

  /** Counts a body of a request that is counted. Throws 429. */
  beginBody(key: string, account: string): void {
    const { bodiesPerKey, bodiesPerAccount } = this.#limits
    const ofKey = this.#keys.get(key)!
    const ofAccount = this.#accounts.get(account)!
    if (ofKey.bodies >= bodiesPerKey) throw this.#tooMany('bodiesPerKey')
    if (ofAccount.bodies >= bodiesPerAccount) throw this.#tooMany('bodiesPerAccount')
    ofKey.bodies++
    ofAccount.bodies++
  }

  endBody(key: string, account: string): void {
    this.#keys.get(key)!.bodies--
    this.#accounts.get(account)!.bodies--
  }

  #tooMany(limit: AdmissionLimit) {
    this.onRefused(limit)
    const most = this.#limits[limit]
    return failure(
      'rate_limit_exceeded',
      { limit: most },
      { message: `${WORDS[limit](most)}.`, headers: limitHeaders(most) },
    )
  }
}

const WORDS: Readonly<Record<AdmissionLimit, (most: number) => string>> = {
  requestsPerKey: most => `This key has ${most} requests in flight, and may have no more at the same time`,
  requestsPerAccount: most => `This account has ${most} requests in flight, and may have no more at the same time`,
  bodiesPerKey: most => `This key is sending ${most} request bodies, and may send no more at the same time`,
  bodiesPerAccount: most => `This account is sending ${most} request bodies, and may send no more at the same time`,
}

function countIn(counts: Map<string, Count>, id: string, by: 1 | -1): void {
  const count = counts.get(id)
  if (count === undefined) return void counts.set(id, { requests: by, bodies: 0 })
  count.requests += by
  if (count.requests === 0) counts.delete(id)
}

/** A request that is counted. */
export class AdmittedRequest {
  readonly #admission: Admission
  readonly #key: string
  readonly #account: string
  #hasBody = false
  #isOver = false

  constructor(admission: Admission, key: string, account: string) {
    this.#admission = admission
    this.#key = key
    this.#account = account
    admission.count(key, account, 1)
  }

  /** Its body is read from now on. Throws 429 where its key or its account has too many of them. */
  beginBody(): void {
    this.#admission.beginBody(this.#key, this.#account)
    this.#hasBody = true
  }

  /** Its body has been read, or is not read to its end. */
  endBody(): void {
    if (!this.#hasBody) return
    this.#hasBody = false
    this.#admission.endBody(this.#key, this.#account)
  }

  /** The request and its response are over; counts once, however often it is called. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.endBody()
    this.#admission.count(this.#key, this.#account, -1)
  }
}
