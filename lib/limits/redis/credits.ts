import type { Clock } from '../../services.ts'
import type { LedgerTotals, LedgerView } from '../ledger.ts'
import { type CreditClaim, type CreditState, type Credits, storeAway } from '../limits.ts'
import { NOW, parting, type RedisLink, script } from './link.ts'
import { Renewals } from './renewals.ts'

/**
 * balance: `spent` and `reserved` in micro-cents. reserved: what each request has reserved. expiries: when that ends unless
 * it is renewed. All three are forgotten after an hour without use; by then the ledger knows every charge.
 */
const keysOf = (account: string) => [
  `sluiceway:{${account}}:balance`,
  `sluiceway:{${account}}:reserved`,
  `sluiceway:{${account}}:expiries`,
]
const settledKey = (account: string, id: string) => `sluiceway:{${account}}:settled:${id}`

const KEEP = `
for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], 3600000) end
`

/** Numbers are integers below 2^53, which Lua holds exactly. ARGV: id, micro-cents, granted, charged, time to live. */
const RESERVE = script(`${NOW}
local state = redis.call('HMGET', KEYS[1], 'spent', 'reserved')
local spent, reserved = tonumber(state[1] or 0), tonumber(state[2] or 0)
spent = math.max(spent, tonumber(ARGV[4]))
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now, 'LIMIT', 0, 100)) do
  reserved = reserved - tonumber(redis.call('HGET', KEYS[2], id) or 0)
  redis.call('HDEL', KEYS[2], id)
  redis.call('ZREM', KEYS[3], id)
end
local available = tonumber(ARGV[3]) - spent - reserved
local again = redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1
local allowed = again or tonumber(ARGV[2]) <= available
if allowed and not again then
  reserved = reserved + tonumber(ARGV[2])
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
  redis.call('ZADD', KEYS[3], now + tonumber(ARGV[5]), ARGV[1])
end
redis.call('HSET', KEYS[1], 'spent', spent, 'reserved', reserved)
${KEEP}
return { allowed and 1 or 0, available }
`)

/** ARGV: time to live, then id and micro-cents of each. What Redis has lost or taken for dead is reserved again. */
const RENEW = script(`${NOW}
for i = 2, #ARGV, 2 do
  if redis.call('HSETNX', KEYS[2], ARGV[i], ARGV[i + 1]) == 1 then
    redis.call('HINCRBY', KEYS[1], 'reserved', ARGV[i + 1])
  end
  redis.call('ZADD', KEYS[3], now + tonumber(ARGV[1]), ARGV[i])
end
${KEEP}
return { 1 }
`)

/** KEYS: and the mark of the settlement. ARGV: id, what was spent, how long the mark is kept. */
const SETTLE = parting(`
local amount = redis.call('HGET', KEYS[2], ARGV[1])
if amount then
  redis.call('HDEL', KEYS[2], ARGV[1])
  redis.call('ZREM', KEYS[3], ARGV[1])
  local reserved = tonumber(redis.call('HGET', KEYS[1], 'reserved') or amount)
  redis.call('HSET', KEYS[1], 'reserved', reserved - tonumber(amount))
end
if tonumber(ARGV[2]) > 0 and redis.call('SET', KEYS[4], '', 'NX', 'PX', ARGV[3]) then
  redis.call('HINCRBY', KEYS[1], 'spent', ARGV[2])
end
${KEEP}
return { 1 }
`)

/** Reservations of one call. */
const BATCH = 100
/** How long a settlement that found Redis away is repeated. Its mark outlives that. */
const REPEAT_MS = 600_000
const MARK_MS = REPEAT_MS + 60_000
/** Settlements that wait for Redis. The ledger gets them by their records in any case. */
const MAX_WAITING = 100_000
/** Of those, how many are said again in one beat. */
const REPEATS = 1000

interface Settlement {
  readonly account: string
  readonly microcents: number
  readonly since: number
}

export interface CreditTiming {
  /** How long a reservation outlives its process. */
  readonly reservationMs: number
}

export class RedisCredits implements Credits {
  readonly #link: RedisLink
  readonly #clock: Clock
  readonly #ledger: LedgerView
  readonly #reservationMs: number
  /** Reservations of this process; the value is the amount. */
  readonly #renewals: Renewals<number>
  readonly #waiting = new Map<string, Settlement>()

  constructor(link: RedisLink, clock: Clock, ledger: LedgerView, { reservationMs }: CreditTiming) {
    this.#link = link
    this.#clock = clock
    this.#ledger = ledger
    this.#reservationMs = reservationMs
    this.#renewals = new Renewals(reservationMs / 4)
  }

  async reserve(claim: CreditClaim): Promise<CreditState> {
    const { account, id, microcents, initialMicrocents, onStoreFailure } = claim
    const totals = await this.#totals(account)
    let reply: readonly number[] | undefined
    if (totals !== undefined) {
      const args = [id, microcents, initialMicrocents + totals.granted, totals.charged, this.#reservationMs]
      reply = await this.#link.run(RESERVE, account, keysOf(account), args)
    }
    if (reply === undefined && onStoreFailure !== 'fail_open') throw storeAway()
    const [allowed, availableMicrocents] = (reply ?? [1, Number.POSITIVE_INFINITY]) as [number, number]
    if (allowed === 1) this.#renewals.add(account, id, microcents, this.#clock.monotonic())
    return { allowed: allowed === 1, availableMicrocents }
  }

  settle(account: string, id: string, microcents: number): void {
    if (!this.#renewals.delete(id)) return
    const settlement = { account, microcents, since: this.#clock.monotonic() }
    void this.#settle(id, settlement)
  }

  release(account: string, id: string): void {
    this.settle(account, id, 0)
  }

  /** Renews reservations and repeats the settlements that found Redis away. */
  async beat(): Promise<void> {
    const now = this.#clock.monotonic()
    const calls: Promise<unknown>[] = []
    for (const [account, reservations] of this.#renewals.due(now)) {
      for (let at = 0; at < reservations.length; at += BATCH) {
        const args = [this.#reservationMs, ...reservations.slice(at, at + BATCH).flat()]
        calls.push(this.#link.run(RENEW, account, keysOf(account), args))
      }
    }
    let repeats = 0
    for (const [id, settlement] of this.#waiting) {
      if (++repeats > REPEATS) break
      // It comes back, behind the others, if it finds Redis away again.
      this.#waiting.delete(id)
      if (now - settlement.since < REPEAT_MS) calls.push(this.#settle(id, settlement))
    }
    await Promise.all(calls)
  }

  /** undefined: the ledger is away. */
  async #totals(account: string): Promise<LedgerTotals | undefined> {
    try {
      return await this.#ledger.of(account)
    } catch {
      return undefined
    }
  }

  async #settle(id: string, settlement: Settlement): Promise<void> {
    const { account, microcents } = settlement
    const keys = [...keysOf(account), settledKey(account, id)]
    const reply = await this.#link.run(SETTLE, account, keys, [id, microcents, MARK_MS])
    // A release needs no repetition: what is not renewed expires.
    if (reply === undefined && microcents > 0 && this.#waiting.size < MAX_WAITING) this.#waiting.set(id, settlement)
  }
}
