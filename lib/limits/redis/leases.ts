import type { Clock } from '../../base/clock.ts'
import { type LeaseClaim, type Leases, storeUnavailable } from '../limits.ts'
import { MemoryLeases } from '../memory/leases.ts'
import type { LimitBatcher, LimitScript } from './limit-batcher.ts'
import { NOW, type RedisLink, script } from './link.ts'
import type { Processes } from './processes.ts'
import { Renewals } from './renewals.ts'

/** A sorted set: ids of the requests in flight, scored by the expiry of their leases in milliseconds (server's clock). */
const keyOf = (account: string, key: string | undefined) =>
  `sluiceway:{${account}}:leases${key === undefined ? '' : `:${key}`}`

/** decide: ARGV the limit, the lease's time to live. A request that already holds a lease keeps it. */
export const LEASE: LimitScript = {
  lua: `
limits.lease = {
  keys = 1, args = 2, release_keys = 1, release_args = 0,
  decide = function(key, arg)
    local leases = KEYS[key]
    redis.call('ZREMRANGEBYSCORE', leases, '-inf', now)
    local allowed = redis.call('ZCARD', leases) < tonumber(ARGV[arg]) or redis.call('ZSCORE', leases, id)
    return allowed, function()
      redis.call('ZADD', leases, now + tonumber(ARGV[arg + 1]), id)
      redis.call('PEXPIRE', leases, ARGV[arg + 1])
    end
  end,
  release = function(key) redis.call('ZREM', KEYS[key], id) end,
}`,
}

/** ARGV: time to live, a time after which nothing is renewed or 0, ids. Also restores leases that Redis has lost, because their requests still run. */
const RENEW = script(
  'sluicewayRenewLeases',
  `${NOW}
if ARGV[2] ~= '0' and now > tonumber(ARGV[2]) then return { 0 } end
for i = 3, #ARGV do redis.call('ZADD', KEYS[1], now + tonumber(ARGV[1]), ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return { 1 }
`,
)

/**
 * Once Redis answers again, each process reports what it is running. Where it was away for so long that leases may have
 * expired there, Redis knows only a part until then, and each process admits no more than its local share.
 */
const REPORTING_MS = 1500
/** Releases that are kept to be repeated. A lease whose release is lost expires by itself. */
const MAX_UNSENT = 100_000

/** Ids per call. Redis runs nothing else while a script runs. */
const BATCH = 200

export interface LeaseTiming {
  /** How long a lease remains after its process has died. */
  readonly leaseMs: number
}

/** A lease of a request: on the account, or on a key of it. A request may hold both. */
interface Lease {
  readonly id: string
  readonly key: string | undefined
}

/** Its name in the books of this process. */
function nameOf({ id, key }: Lease): string {
  return key === undefined ? id : `${id} ${key}`
}

/** Concurrency leases of all processes. A lease is renewed while its request runs and expires after its process dies. */
export class RedisLeases implements Leases {
  readonly #link: RedisLink
  readonly #batcher: LimitBatcher
  readonly #clock: Clock
  readonly #processes: Processes
  readonly #leaseMs: number
  readonly #renewals: Renewals<Lease>
  /** Redis may not know yet what other processes are running. */
  #reportingUntil = 0
  /** Releases that may not have reached Redis, by name: the account, and when the lease expires by itself. */
  readonly #unsent = new Map<string, { readonly account: string; readonly lease: Lease; readonly until: number }>()
  /** Leases that this process holds; they decide while Redis is unavailable. */
  readonly #local = new MemoryLeases()

  constructor(link: RedisLink, batcher: LimitBatcher, clock: Clock, processes: Processes, { leaseMs }: LeaseTiming) {
    this.#link = link
    this.#batcher = batcher
    this.#clock = clock
    this.#processes = processes
    this.#leaseMs = leaseMs
    this.#renewals = new Renewals(leaseMs / 3)
  }

  take({ account, key, id, limit, enforced, onStoreFailure }: LeaseClaim): Promise<boolean | undefined> {
    const lease = { id, key }
    return this.#batcher.check(account, id, {
      ...{ kind: 'lease', keys: [keyOf(account, key)], args: [limit, this.#leaseMs], enforced },
      onReply: allowed => {
        if (!allowed) return false
        const isPartial = onStoreFailure === 'local_share' && this.#clock.monotonic() < this.#reportingUntil
        if (this.#hold(account, lease, isPartial ? this.#processes.share(limit) : Number.POSITIVE_INFINITY)) return true
        this.#release(account, lease)
        return false
      },
      decideLocally: () => {
        if (onStoreFailure === 'fail_closed') throw storeUnavailable()
        const localLimit = onStoreFailure === 'fail_open' ? Number.POSITIVE_INFINITY : this.#processes.share(limit)
        return this.#hold(account, lease, localLimit)
      },
      refuses: taken => !taken,
      undo: () => this.#release(account, lease),
    })
  }

  release(account: string, id: string, key?: string): void {
    const lease = { id, key }
    if (this.#renewals.delete(nameOf(lease)) === undefined) return
    this.#local.release(account, id, key)
    this.#release(account, lease)
  }

  /** Redis answers again, after `awayMs` milliseconds: reports everything that runs, and what has ended meanwhile. */
  async report(awayMs: number): Promise<void> {
    // After a shorter time Redis still has all leases, which are renewed three times in their life.
    if (awayMs > this.#leaseMs / 2) this.#reportingUntil = this.#clock.monotonic() + REPORTING_MS
    this.#renewals.dueNow()
    const unsent = [...this.#unsent]
    this.#unsent.clear()
    const now = this.#clock.monotonic()
    for (const [, { account, lease, until }] of unsent) if (now < until) this.#release(account, lease)
    await this.renew()
  }

  /** Renews the leases that are due. This also restores them in a Redis that has lost its data. */
  async renew(): Promise<void> {
    const calls: Promise<unknown>[] = []
    for (const [account, leases] of this.#renewals.due(this.#clock.monotonic())) {
      for (const [key, held] of Map.groupBy(leases, ([, lease]) => lease.key)) {
        const ids = held.map(([, { id }]) => id)
        for (let at = 0; at < ids.length; at += BATCH) {
          const args = [this.#leaseMs, this.#link.deadline, ...ids.slice(at, at + BATCH)]
          calls.push(this.#link.run(RENEW, account, [keyOf(account, key)], args))
        }
      }
    }
    await Promise.all(calls)
  }

  #release(account: string, lease: Lease): void {
    this.#batcher.release(account, lease.id, { kind: 'lease', keys: [keyOf(account, lease.key)], args: [] }, () => {
      if (this.#unsent.size >= MAX_UNSENT) return
      this.#unsent.set(nameOf(lease), { account, lease, until: this.#clock.monotonic() + this.#leaseMs })
    })
  }

  #hold(account: string, lease: Lease, localLimit: number): boolean {
    if (!this.#local.take({ account, ...lease, limit: localLimit })) return false
    this.#renewals.add(account, nameOf(lease), lease, this.#clock.monotonic())
    return true
  }
}
