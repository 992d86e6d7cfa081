import { randomUUID } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type { LeaseClaim, Leases } from '../limits.ts'
import { MemoryLeases } from '../memory/leases.ts'
import type { LimitBatcher } from './limit-batcher.ts'
import type { LimitScript } from './limit-script.ts'
import { NOW, type RedisLink, script } from './link.ts'
import type { Processes } from './processes.ts'
import { Renewals } from './renewals.ts'

/** A sorted set: ids of the requests in flight. Score: expiry in milliseconds, on the Redis server's clock. */
const keyOf = (account: string, scope: string | undefined) =>
  `sluiceway:{${account}}:leases${scope === undefined ? '' : `:${scope}`}`

/**
 * decide: ARGV the limit, the lease's time to live. A request that already has a lease keeps it. Returns the number of
 * leases before the request.
 */
export const LEASE: LimitScript = {
  lua: `
limits.lease = {
  keys = 1, args = 2, release_keys = 1, release_args = 0,
  decide = function(key, arg)
    local leases = KEYS[key]
    local state = state_of(leases, function()
      redis.call('ZREMRANGEBYSCORE', leases, '-inf', now)
      return { count = redis.call('ZCARD', leases), ids = {}, added = {} }
    end)
    local allowed = state.count < tonumber(ARGV[arg]) or state.ids[id] or redis.call('ZSCORE', leases, id)
    return allowed, function()
      if state.ids[id] then return end
      local added = state.added
      state.count, state.ids[id] = state.count + 1, true
      added[#added + 1], added[#added + 2] = now + tonumber(ARGV[arg + 1]), id
      state.write = function()
        redis.call('ZADD', leases, unpack(added))
        redis.call('PEXPIRE', leases, ARGV[arg + 1])
      end
    end, state.count
  end,
  release = function(key)
    local leases = KEYS[key]
    local state = state_of(leases, function() return {} end)
    state[#state + 1] = id
    state.write = function() redis.call('ZREM', leases, unpack(state)) end
  end,
}`,
}

/** ARGV: time to live, deadline or 0, ids. Also restores leases that Redis has lost: their requests still run. */
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
 * When Redis answers again, each process reports its leases within this time. Until then Redis may lack some, and each
 * process admits no more than its local share.
 */
const REPORTING_MS = 1500
/** Maximum number of releases that are kept for repetition. A lease whose release is lost expires. */
const MAX_UNSENT = 100_000

/** Ids per call. A script blocks Redis while it runs. */
const BATCH = 200

/** A lease of a request: of the account, or of a scope. A request may have several. */
interface Lease {
  readonly id: string
  readonly scope: string | undefined
}

/** Unique name of a lease in this process. */
function nameOf({ id, scope }: Lease): string {
  return scope === undefined ? id : `${id} ${scope}`
}

/** Leases of all processes. A lease is renewed while its request runs and expires after its process dies. */
export class RedisLeases implements Leases {
  readonly #link: RedisLink
  readonly #batcher: LimitBatcher
  readonly #clock: Clock
  readonly #processes: Processes
  readonly #leaseMs: number
  readonly #renewals: Renewals<Lease>
  /** Until this time, Redis may not know the leases of other processes. */
  #reportingUntil = 0
  /** Releases that may not have reached Redis, by name. `until`: the lease has expired by then. */
  readonly #unsent = new Map<string, { readonly account: string; readonly lease: Lease; readonly until: number }>()
  /** Leases of this process. They are the count while Redis is unavailable. */
  readonly #local = new MemoryLeases()

  constructor(
    link: RedisLink,
    batcher: LimitBatcher,
    clock: Clock,
    processes: Processes,
    { leaseMs }: { readonly leaseMs: number },
  ) {
    this.#link = link
    this.#batcher = batcher
    this.#clock = clock
    this.#processes = processes
    this.#leaseMs = leaseMs
    this.#renewals = new Renewals(leaseMs / 3)
  }

  take({ account, scope, id, limit, enforced, onStoreFailure }: LeaseClaim): Promise<boolean | undefined> {
    const lease = { id, scope }
    return this.#batcher.check(account, id, {
      ...{ kind: 'lease', keys: [keyOf(account, scope)], args: [limit, this.#leaseMs], enforced },
      onReply: allowed => {
        if (!allowed) return false
        const isPartial = onStoreFailure === 'local_share' && this.#clock.monotonic() < this.#reportingUntil
        if (this.#add(account, lease, isPartial ? this.#processes.share(limit) : Number.POSITIVE_INFINITY)) return true
        this.#release(account, lease)
        return false
      },
      decideLocally: () => this.#add(account, lease, this.#processes.shareOnFailure(limit, onStoreFailure)),
      refuses: taken => !taken,
      undo: () => this.#release(account, lease),
    })
  }

  async inFlight(account: string, scope?: string): Promise<number> {
    const id = randomUUID()
    // A limit of 0 takes no lease.
    const count = await this.#batcher.check(account, id, {
      ...{ kind: 'lease', keys: [keyOf(account, scope)], args: [0, this.#leaseMs], enforced: true },
      onReply: (_allowed, [count]) => count,
      decideLocally: () => this.#local.inFlight(account, scope),
      refuses: () => true,
    })
    return count ?? this.#local.inFlight(account, scope)
  }

  release(account: string, id: string, scope?: string): void {
    const lease = { id, scope }
    if (this.#renewals.delete(nameOf(lease)) === undefined) return
    this.#local.release(account, id, scope)
    this.#release(account, lease)
  }

  /** To be called when Redis answers again. Sends all leases, and releases that may not have reached Redis. */
  async report(unavailableMs: number): Promise<void> {
    // After a shorter time Redis still has all leases, because they are renewed three times in their time to live.
    if (unavailableMs > this.#leaseMs / 2) this.#reportingUntil = this.#clock.monotonic() + REPORTING_MS
    this.#renewals.dueNow()
    const unsent = [...this.#unsent]
    this.#unsent.clear()
    const now = this.#clock.monotonic()
    for (const [, { account, lease, until }] of unsent) if (now < until) this.#release(account, lease)
    await this.renew()
  }

  /** Renews the leases that are due, and restores them if Redis has lost its data. */
  async renew(): Promise<void> {
    const calls: Promise<unknown>[] = []
    for (const [account, leases] of this.#renewals.due(this.#clock.monotonic())) {
      for (const [scope, group] of Map.groupBy(leases, ([, lease]) => lease.scope)) {
        const ids = group.map(([, { id }]) => id)
        for (let at = 0; at < ids.length; at += BATCH) {
          const args = [this.#leaseMs, this.#link.deadline, ...ids.slice(at, at + BATCH)]
          calls.push(this.#link.run(RENEW, account, [keyOf(account, scope)], args))
        }
      }
    }
    await Promise.all(calls)
  }

  #release(account: string, lease: Lease): void {
    this.#batcher.release(account, lease.id, { kind: 'lease', keys: [keyOf(account, lease.scope)], args: [] }, () => {
      if (this.#unsent.size >= MAX_UNSENT) return
      this.#unsent.set(nameOf(lease), { account, lease, until: this.#clock.monotonic() + this.#leaseMs })
    })
  }

  /** False: this process already has `localLimit` leases. */
  #add(account: string, lease: Lease, localLimit: number): boolean {
    if (!this.#local.take({ account, ...lease, limit: localLimit })) return false
    this.#renewals.add(account, nameOf(lease), lease, this.#clock.monotonic())
    return true
  }
}
