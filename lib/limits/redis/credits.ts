import type { Clock } from '../../base/clock.ts'
import type { LedgerTotals, LedgerView } from '../ledger.ts'
import { type CreditClaim, type CreditState, type Credits, storeAway } from '../limits.ts'
import type { LimitBatcher, Piece } from './limit-batcher.ts'
import { NOW, type RedisLink, script } from './link.ts'
import { Renewals } from './renewals.ts'

/**
 * balance, a hash of sums in micro-cents: `spent`, `reserved`, and `corrected` (see CREDIT). reserved, a hash: what each
 * request has reserved. expiries, a sorted set: when each reservation ends unless it is renewed. All three are dropped after
 * an hour without use; by then the ledger knows every charge.
 */
const keysOf = (account: string) => [
  `sluiceway:{${account}}:balance`,
  `sluiceway:{${account}}:reserved`,
  `sluiceway:{${account}}:expiries`,
]
const settledKey = (account: string, id: string) => `sluiceway:{${account}}:settled:${id}`

/** How long a settlement that found Redis away is repeated. Its mark outlives that. */
const REPEAT_MS = 600_000
const MARK_MS = REPEAT_MS + 60_000
/** Forgotten after this time without use. */
const IDLE_MS = 3_600_000

/**
 * Numbers are integers below 2^53, which Lua holds exactly. decide: ARGV micro-cents, granted, charged, time to live.
 * give_back: KEYS and the mark of the settlement; ARGV what was spent, how long the mark is kept, how late it is said.
 *
 * The ledger may know of charges that were never reported here, because Redis was away or has lost its data. Then `spent`
 * is raised to what the ledger says, and `corrected` keeps by how much that was in the last minutes. A settlement that is
 * reported late may be one of those charges: as much of it as `corrected` holds is not counted a second time.
 */
export const CREDIT: Piece = {
  lua: `
local function keep(key)
  for i = key, key + 2 do redis.call('PEXPIRE', KEYS[i], ${IDLE_MS}) end
end
limits.credit = {
  keys = 3, args = 4, end_keys = 4, end_args = 3,
  decide = function(key, arg)
    local balance, amounts, expiries = KEYS[key], KEYS[key + 1], KEYS[key + 2]
    local state = redis.call('HMGET', balance, 'spent', 'reserved', 'corrected', 'corrected_at')
    local said, reserved = tonumber(state[1] or 0), tonumber(state[2] or 0)
    local spent = math.max(said, tonumber(ARGV[arg + 2]))
    for _, dead in ipairs(redis.call('ZRANGEBYSCORE', expiries, '-inf', now, 'LIMIT', 0, 100)) do
      reserved = reserved - tonumber(redis.call('HGET', amounts, dead) or 0)
      redis.call('HDEL', amounts, dead)
      redis.call('ZREM', expiries, dead)
      redis.call('HSET', balance, 'reserved', reserved)
    end
    local available = tonumber(ARGV[arg + 1]) - spent - reserved
    if redis.call('HEXISTS', amounts, id) == 1 then return true, function() end, available end
    return tonumber(ARGV[arg]) <= available, function()
      redis.call('HSET', amounts, id, ARGV[arg])
      redis.call('ZADD', expiries, now + tonumber(ARGV[arg + 3]), id)
      redis.call('HSET', balance, 'spent', spent, 'reserved', reserved + tonumber(ARGV[arg]))
      if spent > said then
        local before = now - tonumber(state[4] or 0) < ${MARK_MS} and tonumber(state[3] or 0) or 0
        redis.call('HSET', balance, 'corrected', before + spent - said, 'corrected_at', now)
      end
      keep(key)
    end, available
  end,
  give_back = function(key, arg)
    local balance, amounts, expiries = KEYS[key], KEYS[key + 1], KEYS[key + 2]
    local amount = redis.call('HGET', amounts, id)
    if amount then
      redis.call('HDEL', amounts, id)
      redis.call('ZREM', expiries, id)
      local reserved = tonumber(redis.call('HGET', balance, 'reserved') or amount)
      redis.call('HSET', balance, 'reserved', reserved - tonumber(amount))
    end
    local spent, late = tonumber(ARGV[arg]), tonumber(ARGV[arg + 2])
    if spent > 0 and redis.call('SET', KEYS[key + 3], '', 'NX', 'PX', ARGV[arg + 1]) then
      local state = redis.call('HMGET', balance, 'corrected', 'corrected_at')
      if late > 0 and tonumber(state[2] or 0) >= now - late then
        local known = math.min(spent, tonumber(state[1]))
        redis.call('HSET', balance, 'corrected', tonumber(state[1]) - known)
        spent = spent - known
      end
      redis.call('HINCRBY', balance, 'spent', spent)
    end
    keep(key)
  end,
}`,
}

/** ARGV: time to live, then id and micro-cents of each. What Redis has lost or taken for dead is reserved again. */
const RENEW = script(`${NOW}
for i = 2, #ARGV, 2 do
  if redis.call('HSETNX', KEYS[2], ARGV[i], ARGV[i + 1]) == 1 then
    redis.call('HINCRBY', KEYS[1], 'reserved', ARGV[i + 1])
  end
  redis.call('ZADD', KEYS[3], now + tonumber(ARGV[1]), ARGV[i])
end
for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], ${IDLE_MS}) end
return { 1 }
`)

/** Reservations of one call. */
const BATCH = 100
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

/** Prepaid money of all processes. While Redis is away nobody knows a balance: only `fail_open` lets requests pass. */
export class RedisCredits implements Credits {
  readonly #link: RedisLink
  readonly #batcher: LimitBatcher
  readonly #clock: Clock
  readonly #ledger: LedgerView
  readonly #reservationMs: number
  /** Reservations of this process; the value is the amount. */
  readonly #renewals: Renewals<number>
  readonly #waiting = new Map<string, Settlement>()

  constructor(
    link: RedisLink,
    batcher: LimitBatcher,
    clock: Clock,
    ledger: LedgerView,
    { reservationMs }: CreditTiming,
  ) {
    this.#link = link
    this.#batcher = batcher
    this.#clock = clock
    this.#ledger = ledger
    this.#reservationMs = reservationMs
    this.#renewals = new Renewals(reservationMs / 4)
  }

  reserve(claim: CreditClaim): Promise<CreditState | undefined> {
    const totals = this.#ledger.of(claim.account)
    // At once where they are known, so that it is asked together with the other limits.
    if (!(totals instanceof Promise)) return this.#reserve(claim, totals)
    return totals.then(
      known => this.#reserve(claim, known),
      () => this.#reserveHere(claim),
    )
  }

  settle(account: string, id: string, microcents: number): void {
    if (!this.#renewals.delete(id)) return
    const settlement = { account, microcents, since: this.#clock.monotonic() }
    this.#settle(id, settlement, 0)
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
      if (now - settlement.since < REPEAT_MS) this.#settle(id, settlement, Math.ceil(now - settlement.since))
    }
    await Promise.all(calls)
  }

  #reserve(claim: CreditClaim, totals: LedgerTotals): Promise<CreditState | undefined> {
    const { account, id, microcents, initialMicrocents, enforced } = claim
    const args = [microcents, initialMicrocents + totals.granted, totals.charged, this.#reservationMs]
    return this.#batcher.ask(account, id, {
      ...{ kind: 'credit', keys: keysOf(account), args, enforced },
      decided: (allowed, [availableMicrocents]) => {
        if (allowed) this.#renewals.add(account, id, microcents, this.#clock.monotonic())
        return { allowed, availableMicrocents }
      },
      here: () => this.#reserveHere(claim),
      refuses: ({ allowed }) => !allowed,
    })
  }

  /** Nobody knows the balance. */
  #reserveHere({ account, id, microcents, onStoreFailure }: CreditClaim): CreditState {
    if (onStoreFailure !== 'fail_open') throw storeAway()
    this.#renewals.add(account, id, microcents, this.#clock.monotonic())
    return { allowed: true, availableMicrocents: Number.POSITIVE_INFINITY }
  }

  #settle(id: string, settlement: Settlement, lateMs: number): void {
    const { account, microcents } = settlement
    const keys = [...keysOf(account), settledKey(account, id)]
    this.#batcher.end(account, id, { kind: 'credit', keys, args: [microcents, MARK_MS, lateMs] }, () => {
      // A release needs no repetition: what is not renewed expires.
      if (microcents > 0 && this.#waiting.size < MAX_WAITING) this.#waiting.set(id, settlement)
    })
  }
}
