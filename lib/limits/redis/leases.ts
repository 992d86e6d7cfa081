import type { Clock } from '../../services.ts'
import { type LeaseClaim, type Leases, storeAway } from '../limits.ts'
import { MemoryLeases } from '../memory/leases.ts'
import { NOW, parting, type RedisLink, script } from './link.ts'
import type { Processes } from './processes.ts'
import { Renewals } from './renewals.ts'

/** One member for each lease, scored by the moment at which it expires, on the server's clock. */
const keyOf = (account: string) => `sluiceway:{${account}}:leases`

/** ARGV: id, limit, time to live. */
const TAKE = script(`${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local held = redis.call('ZCARD', KEYS[1])
if held >= tonumber(ARGV[2]) and not redis.call('ZSCORE', KEYS[1], ARGV[1]) then return { 0 } end
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[3]), ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return { 1 }
`)

/** ARGV: time to live, ids. A lease that Redis has lost is put back: its request is still running. */
const RENEW = script(`${NOW}
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], now + tonumber(ARGV[1]), ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return { 1 }
`)

const RELEASE = parting(`return { redis.call('ZREM', KEYS[1], ARGV[1]) }`)

/** Ids of one call: a script holds up everybody else. */
const BATCH = 200

export interface LeaseTiming {
  /** How long a lease outlives its process. */
  readonly leaseMs: number
}

export class RedisLeases implements Leases {
  readonly #link: RedisLink
  readonly #clock: Clock
  readonly #processes: Processes
  readonly #leaseMs: number
  readonly #renewals: Renewals<null>
  /** What this process holds, by account: what it goes by when Redis is away. */
  readonly #here = new MemoryLeases()

  constructor(link: RedisLink, clock: Clock, processes: Processes, { leaseMs }: LeaseTiming) {
    this.#link = link
    this.#clock = clock
    this.#processes = processes
    this.#leaseMs = leaseMs
    this.#renewals = new Renewals(leaseMs / 3)
  }

  async take({ account, id, limit, onStoreFailure }: LeaseClaim): Promise<boolean> {
    const reply = await this.#link.run(TAKE, account, [keyOf(account)], [id, limit, this.#leaseMs])
    if (reply !== undefined) return reply[0] === 1 && this.#hold(account, id, Number.POSITIVE_INFINITY)
    if (onStoreFailure === 'fail_closed') throw storeAway()
    const here = onStoreFailure === 'fail_open' ? Number.POSITIVE_INFINITY : this.#processes.share(limit)
    return this.#hold(account, id, here)
  }

  release(account: string, id: string): void {
    if (!this.#renewals.delete(id)) return
    this.#here.release(account, id)
    // If this gets lost, the lease expires.
    void this.#link.run(RELEASE, account, [keyOf(account)], [id])
  }

  /** Renews what is due, and thereby tells a Redis that comes back what is running here. */
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
