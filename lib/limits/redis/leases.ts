import type { Clock } from '../../base/clock.ts'
import { type LeaseClaim, type Leases, storeAway } from '../limits.ts'
import { MemoryLeases } from '../memory/leases.ts'
import type { LimitBatcher, Piece } from './limit-batcher.ts'
import { NOW, type RedisLink, script } from './link.ts'
import type { Processes } from './processes.ts'
import { Renewals } from './renewals.ts'

/** A sorted set: the ids of the requests in flight, by when their leases expire, in milliseconds on the server's clock. */
const keyOf = (account: string) => `sluiceway:{${account}}:leases`

/** decide: limit, time to live. A request that has a place keeps it. */
export const LEASE: Piece = {
  lua: `
limits.lease = {
  keys = 1, args = 2, end_keys = 1, end_args = 0,
  decide = function(key, arg)
    local leases = KEYS[key]
    redis.call('ZREMRANGEBYSCORE', leases, '-inf', now)
    local allowed = redis.call('ZCARD', leases) < tonumber(ARGV[arg]) or redis.call('ZSCORE', leases, id)
    return allowed, function()
      redis.call('ZADD', leases, now + tonumber(ARGV[arg + 1]), id)
      redis.call('PEXPIRE', leases, ARGV[arg + 1])
    end
  end,
  give_back = function(key) redis.call('ZREM', KEYS[key], id) end,
}`,
}

/** ARGV: time to live, ids. A lease that Redis has lost is put back: its request is still running. */
const RENEW = script(`${NOW}
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], now + tonumber(ARGV[1]), ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return { 1 }
`)

/** Ids of one call: a script holds up everybody else. */
const BATCH = 200

export interface LeaseTiming {
  /** How long a lease outlives its process. */
  readonly leaseMs: number
}

/** Requests in flight of all processes. A lease is renewed as long as its request runs, and expires when its process dies. */
export class RedisLeases implements Leases {
  readonly #link: RedisLink
  readonly #batcher: LimitBatcher
  readonly #clock: Clock
  readonly #processes: Processes
  readonly #leaseMs: number
  readonly #renewals: Renewals<null>
  /** What this process holds, by account: what it goes by when Redis is away. */
  readonly #here = new MemoryLeases()

  constructor(link: RedisLink, batcher: LimitBatcher, clock: Clock, processes: Processes, { leaseMs }: LeaseTiming) {
    this.#link = link
    this.#batcher = batcher
    this.#clock = clock
    this.#processes = processes
    this.#leaseMs = leaseMs
    this.#renewals = new Renewals(leaseMs / 3)
  }

  take({ account, id, limit, enforced, onStoreFailure }: LeaseClaim): Promise<boolean | undefined> {
    return this.#batcher.ask(account, id, {
      ...{ kind: 'lease', keys: [keyOf(account)], args: [limit, this.#leaseMs], enforced },
      decided: allowed => allowed && this.#hold(account, id, Number.POSITIVE_INFINITY),
      here: () => {
        if (onStoreFailure === 'fail_closed') throw storeAway()
        const here = onStoreFailure === 'fail_open' ? Number.POSITIVE_INFINITY : this.#processes.share(limit)
        return this.#hold(account, id, here)
      },
      refuses: taken => !taken,
    })
  }

  release(account: string, id: string): void {
    if (!this.#renewals.delete(id)) return
    this.#here.release(account, id)
    // If this gets lost, the lease expires.
    this.#batcher.end(account, id, { kind: 'lease', keys: [keyOf(account)], args: [] })
  }

  /** Renews what is due. A Redis that comes back without its data learns in this way what is running here. */
  async beat(): Promise<void> {
    const calls: Promise<unknown>[] = []
    for (const [account, leases] of this.#renewals.due(this.#clock.monotonic())) {
      const ids = leases.map(([id]) => id)
      for (let at = 0; at < ids.length; at += BATCH) {
        const args = [this.#leaseMs, ...ids.slice(at, at + BATCH)]
        calls.push(this.#link.run(RENEW, account, [keyOf(account)], args))
      }
    }
    await Promise.all(calls)
  }

  #hold(account: string, id: string, limitHere: number): boolean {
    if (!this.#here.take({ account, id, limit: limitHere })) return false
    this.#renewals.add(account, id, null, this.#clock.monotonic())
    return true
  }
}
