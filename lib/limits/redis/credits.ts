import type { Clock } from '../../base/clock.ts'
import type { LedgerTotals, LedgerView } from '../ledger.ts'
import { type CreditClaim, type CreditState, type Credits, storeUnavailable } from '../limits.ts'
import type { LimitBatcher, LimitScript } from './limit-batcher.ts'
import { NOW, type RedisLink, script } from './link.ts'
import { Renewals } from './renewals.ts'

/**
 * balance, a hash of sums in micro-cents: `spent`, `reserved`, and `corrected` (see CREDIT). reserved, a hash: the amount
 * of each request. expiries, a sorted set: when each reservation ends unless it is renewed. All three expire after an hour
 * without use; by then the ledger contains every charge.
 */
const keysOf = (account: string, purse: string) => [
  `sluiceway:{${account}}:balance${purse}`,
  `sluiceway:{${account}}:reserved${purse}`,
  `sluiceway:{${account}}:expiries${purse}`,
]
const settledKey = (account: string, purse: string, id: string) => `sluiceway:{${account}}:settled${purse}:${id}`

/** A settlement that did not reach Redis is repeated for this time. settledKey() is kept for longer. */
const REPEAT_MS = 600_000
const SETTLED_MS = REPEAT_MS + 60_000
/** Keys expire after this time without use. */
const IDLE_MS = 3_600_000

/**
 * All numbers are integers below 2^53, which Lua represents exactly. decide: ARGV the micro-cents to reserve, granted,
 * charged, time to live; returns what is available, and the time. release: KEYS also settledKey(); ARGV the micro-cents
 * spent, how long settledKey() is kept, when the request was settled.
 *
 * The ledger may contain charges that Redis has not received, because it was unavailable, has lost its data, or the
 * settlement is still on its way. `spent` is then raised to the ledger's sum, and `corrected` holds by how much it was
 * raised in the last minutes. A settlement that was made before may be one of those charges, so up to `corrected` of it is
 * not counted again; one that was made later is none of them. Both times are Redis's own, however long the settlement
 * took, and the process never gives a later one than the true one: what is counted twice stays, what is counted too low
 * the ledger raises.
 */
export const CREDIT: LimitScript = {
  lua: `
local function keep(key)
  for i = key, key + 2 do redis.call('PEXPIRE', KEYS[i], ${IDLE_MS}) end
end
limits.credit = {
  keys = 3, args = 4, release_keys = 4, release_args = 3,
  decide = function(key, arg)
    local balance, amounts, expiries = KEYS[key], KEYS[key + 1], KEYS[key + 2]
    local state = redis.call('HMGET', balance, 'spent', 'reserved', 'corrected', 'corrected_at')
    local recorded, reserved = tonumber(state[1] or 0), tonumber(state[2] or 0)
    local spent = math.max(recorded, tonumber(ARGV[arg + 2]))
    for _, dead in ipairs(redis.call('ZRANGEBYSCORE', expiries, '-inf', now, 'LIMIT', 0, 100)) do
      reserved = reserved - tonumber(redis.call('HGET', amounts, dead) or 0)
      redis.call('HDEL', amounts, dead)
      redis.call('ZREM', expiries, dead)
      redis.call('HSET', balance, 'reserved', reserved)
    end
    local available = tonumber(ARGV[arg + 1]) - spent - reserved
    if redis.call('HEXISTS', amounts, id) == 1 then return true, function() end, available, now end
    return tonumber(ARGV[arg]) <= available, function()
      redis.call('HSET', amounts, id, ARGV[arg])
      redis.call('ZADD', expiries, now + tonumber(ARGV[arg + 3]), id)
      redis.call('HSET', balance, 'spent', spent, 'reserved', reserved + tonumber(ARGV[arg]))
      if spent > recorded then
        local before = now - tonumber(state[4] or 0) < ${SETTLED_MS} and tonumber(state[3] or 0) or 0
        redis.call('HSET', balance, 'corrected', before + spent - recorded, 'corrected_at', now)
      end
      keep(key)
    end, available, now
  end,
  release = function(key, arg)
    local balance, amounts, expiries = KEYS[key], KEYS[key + 1], KEYS[key + 2]
    local amount = redis.call('HGET', amounts, id)
    if amount then
      redis.call('HDEL', amounts, id)
      redis.call('ZREM', expiries, id)
      local reserved = tonumber(redis.call('HGET', balance, 'reserved') or amount)
      redis.call('HSET', balance, 'reserved', reserved - tonumber(amount))
    end
    local spent, settled_at = tonumber(ARGV[arg]), tonumber(ARGV[arg + 2])
    if spent > 0 and redis.call('SET', KEYS[key + 3], '', 'NX', 'PX', ARGV[arg + 1]) then
      local state = redis.call('HMGET', balance, 'corrected', 'corrected_at')
      if tonumber(state[2] or 0) > math.max(settled_at, now - ${SETTLED_MS}) then
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

/**
 * ARGV: time to live, a time after which nothing is renewed or 0, then id and micro-cents of each. Reservations that Redis has
 * lost or expired are made again.
 */
const RENEW = script(
  'sluicewayRenewCredits',
  `${NOW}
if ARGV[2] ~= '0' and now > tonumber(ARGV[2]) then return { 0 } end
for i = 3, #ARGV, 2 do
  if redis.call('HSETNX', KEYS[2], ARGV[i], ARGV[i + 1]) == 1 then
    redis.call('HINCRBY', KEYS[1], 'reserved', ARGV[i + 1])
  end
  redis.call('ZADD', KEYS[3], now + tonumber(ARGV[1]), ARGV[i])
end
for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], ${IDLE_MS}) end
return { 1 }
`,
)

/** Reservations per call. */
const BATCH = 100
/** Settlements kept for repetition. The ledger receives them through their records in any case. */
const MAX_UNSENT = 100_000
/** Settlements repeated per renewal round. */
const REPEATS = 1000

interface Reservation {
  readonly id: string
  readonly purse: string
  readonly microcents: number
  /** By how many milliseconds Redis's clock is ahead of this process's monotonic one, at least. */
  readonly aheadMs: number
}

interface Settlement {
  readonly id: string
  readonly account: string
  readonly purse: string
  readonly microcents: number
  readonly since: number
  /** The same moment on Redis's clock, or earlier. */
  readonly settledAt: number
}

export interface CreditTiming {
  /** How long a reservation remains after its process has died. */
  readonly reservationMs: number
}

/** One of several sums of money of an account. */
export interface PurseClaim extends CreditClaim {
  /** Empty: the prepaid balance. Others begin with a colon, and their ledger has them by account and purse, `<account><purse>`. */
  readonly purse?: string
  /** Decides while Redis is unavailable. undefined: as on_store_failure says. */
  readonly decideLocally?: () => CreditState
}

/** Prepaid balances of all processes. While Redis is unavailable no balance is known, so only `fail_open` admits requests. */
export class RedisCredits implements Credits {
  readonly #link: RedisLink
  readonly #batcher: LimitBatcher
  readonly #clock: Clock
  readonly #ledger: Pick<LedgerView, 'of'>
  readonly #reservationMs: number
  /** Reservations of this process. */
  readonly #renewals: Renewals<Reservation>
  readonly #unsent = new Map<string, Settlement>()
  /** As in the last reply. */
  #aheadMs = Number.NEGATIVE_INFINITY

  constructor(
    link: RedisLink,
    batcher: LimitBatcher,
    clock: Clock,
    ledger: Pick<LedgerView, 'of'>,
    { reservationMs }: CreditTiming,
  ) {
    this.#link = link
    this.#batcher = batcher
    this.#clock = clock
    this.#ledger = ledger
    this.#reservationMs = reservationMs
    this.#renewals = new Renewals(reservationMs / 4)
  }

  reserve(claim: PurseClaim): Promise<CreditState | undefined> {
    const { account, purse = '' } = claim
    const totals = this.#ledger.of(account + purse)
    // Synchronous if the totals are known, so that the check joins the batch of the other limits.
    if (!(totals instanceof Promise)) return this.#reserve(claim, totals)
    return totals.then(
      known => this.#reserve(claim, known),
      () => this.#reserveLocally(claim),
    )
  }

  settle(account: string, id: string, microcents: number, purse = ''): void {
    const reservation = this.#renewals.delete(id + purse)
    if (reservation !== undefined) this.#end({ id, account, purse }, microcents, reservation.aheadMs)
  }

  release(account: string, id: string): void {
    this.settle(account, id, 0)
  }

  /** Redis answers again: renews all reservations. */
  async report(): Promise<void> {
    this.#renewals.dueNow()
    await this.renew()
  }

  /** Renews reservations and repeats settlements that did not reach Redis. */
  async renew(): Promise<void> {
    const now = this.#clock.monotonic()
    const calls: Promise<unknown>[] = []
    for (const [account, reservations] of this.#renewals.due(now)) {
      for (const [purse, held] of Map.groupBy(reservations, ([, reservation]) => reservation.purse)) {
        for (let at = 0; at < held.length; at += BATCH) {
          const batch = held.slice(at, at + BATCH).flatMap(([, { id, microcents }]) => [id, microcents])
          const args = [this.#reservationMs, this.#link.deadline, ...batch]
          calls.push(this.#link.run(RENEW, account, keysOf(account, purse), args))
        }
      }
    }
    let repeats = 0
    for (const [name, settlement] of this.#unsent) {
      if (++repeats > REPEATS) break
      // #settle() adds it again, behind the others, if it is lost again.
      this.#unsent.delete(name)
      // A reservation that is no longer renewed expires by itself.
      const repeatMs = settlement.microcents > 0 ? REPEAT_MS : this.#reservationMs
      if (now - settlement.since < repeatMs) this.#settle(settlement)
    }
    await Promise.all(calls)
  }

  #reserve(claim: PurseClaim, totals: LedgerTotals): Promise<CreditState | undefined> {
    const { account, purse = '', id, microcents, initialMicrocents, enforced } = claim
    const args = [microcents, initialMicrocents + totals.granted, totals.charged, this.#reservationMs]
    return this.#batcher.check(account, id, {
      ...{ kind: 'credit', keys: keysOf(account, purse), args, enforced },
      onReply: (allowed, [availableMicrocents, redisNow]) => {
        const now = this.#clock.monotonic()
        this.#aheadMs = redisNow - now
        if (allowed) this.#hold(claim, now)
        return { allowed, availableMicrocents }
      },
      decideLocally: () => this.#reserveLocally(claim),
      refuses: ({ allowed }) => !allowed,
      undo: () => this.#end({ id, account, purse }, 0, this.#aheadMs),
    })
  }

  /** The balance is not known. */
  #reserveLocally(claim: PurseClaim): CreditState {
    const state = claim.decideLocally?.() ?? { allowed: true, availableMicrocents: Number.POSITIVE_INFINITY }
    if (claim.decideLocally === undefined && claim.onStoreFailure !== 'fail_open') throw storeUnavailable()
    if (state.allowed) this.#hold(claim, this.#clock.monotonic())
    return state
  }

  #hold({ account, id, purse = '', microcents }: PurseClaim, now: number): void {
    this.#renewals.add(account, id + purse, { id, purse, microcents, aheadMs: this.#aheadMs }, now)
  }

  #end(whose: Pick<Settlement, 'id' | 'account' | 'purse'>, microcents: number, aheadMs: number): void {
    const since = this.#clock.monotonic()
    this.#settle({ ...whose, microcents, since, settledAt: Math.max(Math.floor(since + aheadMs), 0) })
  }

  #settle(settlement: Settlement): void {
    const { id, account, purse, microcents, settledAt } = settlement
    const keys = [...keysOf(account, purse), settledKey(account, purse, id)]
    this.#batcher.release(account, id, { kind: 'credit', keys, args: [microcents, SETTLED_MS, settledAt] }, () => {
      if (this.#unsent.size < MAX_UNSENT) this.#unsent.set(id + purse, settlement)
    })
  }
}
