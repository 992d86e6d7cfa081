import type { Key } from '../accounts/access.ts'
import { failure } from '../errors/errors.ts'
import { limitHeaders } from '../errors/limit-headers.ts'

export interface AdmissionLimits {
  /** Requests, from the end of their head to the end of their response. */
  readonly requestsPerKey: number
  readonly requestsPerAccount: number
  /** Request bodies that are being read or wait for memory. */
  readonly bodiesPerKey: number
  readonly bodiesPerAccount: number
}

type AdmissionLimit = keyof AdmissionLimits

/** Counts of one key or one account. It exists while the key or account has a request in flight. */
interface Count {
  requests: number
  bodies: number
}

const UNLIMITED: AdmissionLimits = {
  requestsPerKey: Number.POSITIVE_INFINITY,
  requestsPerAccount: Number.POSITIVE_INFINITY,
  bodiesPerKey: Number.POSITIVE_INFINITY,
  bodiesPerAccount: Number.POSITIVE_INFINITY,
}

/** In-flight limits per key and account, which protect file descriptors (docs/adr/0059). Outlives a reload. */
export class Admission {
  #limits = UNLIMITED
  readonly #keys = new Map<string, Count>()
  readonly #accounts = new Map<string, Count>()
  /** Called for each refused request. */
  onRefused: (limit: AdmissionLimit) => void = () => {}

  /** Sets the limits for requests and bodies that begin after this call. */
  update(limits: AdmissionLimits): void {
    this.#limits = limits
  }

  /** Counts a request until its end(). Throws 429 if its key or its account has too many. */
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

  /** Counts a body of an admitted request. Throws 429. */
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
    const max = this.#limits[limit]
    return failure(
      'rate_limit_exceeded',
      { limit: max },
      { message: `${MESSAGES[limit](max)}.`, headers: limitHeaders(max) },
    )
  }
}

const MESSAGES: Readonly<Record<AdmissionLimit, (max: number) => string>> = {
  requestsPerKey: max => `This key has ${max} requests in flight, and may have no more at the same time`,
  requestsPerAccount: max => `This account has ${max} requests in flight, and may have no more at the same time`,
  bodiesPerKey: max => `This key is sending ${max} request bodies, and may send no more at the same time`,
  bodiesPerAccount: max => `This account is sending ${max} request bodies, and may send no more at the same time`,
}

function countIn(counts: Map<string, Count>, id: string, by: 1 | -1): void {
  const count = counts.get(id)
  if (count === undefined) return void counts.set(id, { requests: by, bodies: 0 })
  count.requests += by
  if (count.requests === 0) counts.delete(id)
}

export class AdmittedRequest {
  readonly #admission: Admission
  readonly #key: string
  readonly #account: string
  #hasBody = false
  #hasEnded = false

  constructor(admission: Admission, key: string, account: string) {
    this.#admission = admission
    this.#key = key
    this.#account = account
    admission.count(key, account, 1)
  }

  /** Counts the body, which is about to be read. Throws 429 if its key or its account has too many. */
  beginBody(): void {
    this.#admission.beginBody(this.#key, this.#account)
    this.#hasBody = true
  }

  /** The body has been read or is abandoned. */
  endBody(): void {
    if (!this.#hasBody) return
    this.#hasBody = false
    this.#admission.endBody(this.#key, this.#account)
  }

  /** The response has ended. Only the first call has an effect. */
  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.endBody()
    this.#admission.count(this.#key, this.#account, -1)
  }
}
