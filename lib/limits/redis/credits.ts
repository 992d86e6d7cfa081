import type { Clock } from '../../base/clock.ts'
import type { LedgerTotals, LedgerView } from '../ledger.ts'
import { type CreditClaim, type CreditState, type Credits, storeUnavailable } from '../limits.ts'
import type { LimitBatcher } from './limit-batcher.ts'
import type { LimitScript } from './limit-script.ts'
import { NOW, type RedisLink, script } from './link.ts'
import { Renewals } from './renewals.ts'

/**
 * balance, a hash of sums in micro-cents: `spent`, `reserved`, and `corrected` (see CREDIT). reserved, a hash: the
 * amount of each request. expiries, a sorted set. All three expire after an hour without use, when the ledger has every
 * charge.
 */
const keysOf = (account: string, balance: string) => [
  `sluiceway:{${account}}:balance${balance}`,
  `sluiceway:{${account}}:reserved${balance}`,
  `sluiceway:{${account}}:expiries${balance}`,
]
const settledKey = (account: string, balance: string, id: string) => `sluiceway:{${account}}:settled${balance}:${id}`

/** Time in which a settlement that did not reach Redis is repeated. settledKey() is kept for longer. */
const REPEAT_MS = 600_000
const SETTLED_MS = REPEAT_MS + 60_000
/** Keys expire after this time without use. */
const IDLE_MS = 3_600_000

/**
 * All numbers are integers below 2^53, which Lua represents exactly.
 *
 * decide: ARGV the micro-cents to reserve, granted, charged, time to live. Returns the available amount and the time.
 *
 * release: KEYS also settledKey(). ARGV the micro-cents spent, the time to live of settledKey(), the time of the
 * settlement.
 *
 * The ledger may contain charges that Redis has not received: Redis was unavailable, has lost its data, or a settlement
 * is late. `spent` is then raised to the ledger's sum. `corrected` is the amount by which it was raised in the last
 * minutes. An earlier settlement may be one of those charges, so up to `corrected` of it is not counted again. A later
 * settlement is counted in full. Both times are on Redis's clock, and the process never sends a later time than the
 * true one. An amount that is counted twice would stay, but the ledger raises an amount that is too low.
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

/** ARGV: time to live, deadline or 0, then id and micro-cents of each reservation. Restores lost ones. */
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

const BATCH = 100
/** Maximum number of settlements that are kept for repetition. The ledger receives all through their records. */
const MAX_UNSENT = 100_000
/** Maximum number of settlements that one renewal round repeats. */
const MAX_REPEATS = 1000

interface Reservation {
  readonly id: string
  readonly balance: string
  readonly microcents: number
  /** Lower bound of Redis's clock minus this process's monotonic clock, in milliseconds. */
  readonly aheadMs: number
}

interface Settlement {
  readonly id: string
  readonly account: string
  readonly balance: string
  readonly microcents: number
  /** Monotonic milliseconds. */
  readonly since: number
  /** Lower bound of the same moment on Redis's clock. */
  readonly settledAt: number
}

/** A claim on one of the balances of an account. */
interface BalanceClaim extends CreditClaim {
  /** Empty: the prepaid balance. Else the name of a window (spend-window.ts): `<account><balance>` in the ledger. */
  readonly balance?: string
  /** Decides while Redis is unavailable. Default: on_store_failure decides. */
  readonly decideLocally?: () => CreditState
}

/** Balances of all processes. While Redis is unavailable no balance is known, so only `fail_open` admits requests. */
export class RedisCredits implements Credits {
  readonly #link: RedisLink
  readonly #batcher: LimitBatcher
  readonly #clock: Clock
  readonly #ledger: Pick<LedgerView, 'of'>
  readonly #reservationMs: number
  readonly #renewals: Renewals<Reservation>
  readonly #unsent = new Map<string, Settlement>()
  /** From the last reply. */
  #aheadMs = Number.NEGATIVE_INFINITY

  constructor(
    link: RedisLink,
    batcher: LimitBatcher,
    clock: Clock,
    ledger: Pick<LedgerView, 'of'>,
    { reservationMs }: { readonly reservationMs: number },
  ) {
    this.#link = link
    this.#batcher = batcher
    this.#clock = clock
    this.#ledger = ledger
    this.#reservationMs = reservationMs
    this.#renewals = new Renewals(reservationMs / 4)
  }

  reserve(claim: BalanceClaim): Promise<CreditState | undefined> {
    const { account, balance = '' } = claim
    const totals = this.#ledger.of(account + balance)
    // Synchronous if the totals are cached, so that the check joins the batch of the other limits.
    if (!(totals instanceof Promise)) return this.#reserve(claim, totals)
    return totals.then(
      known => this.#reserve(claim, known),
      () => this.#reserveLocally(claim),
    )
  }

  settle(account: string, id: string, microcents: number, balance = ''): void {
    const reservation = this.#renewals.delete(id + balance)
    if (reservation !== undefined) this.#end({ id, account, balance }, microcents, reservation.aheadMs)
  }

  release(account: string, id: string): void {
    this.settle(account, id, 0)
  }

  /** To be called when Redis answers again. Renews all reservations. */
  async report(): Promise<void> {
    this.#renewals.dueNow()
    await this.renew()
  }

  /** Renews reservations and repeats settlements that did not reach Redis. */
  async renew(): Promise<void> {
    const now = this.#clock.monotonic()
    const calls: Promise<unknown>[] = []
    for (const [account, reservations] of this.#renewals.due(now)) {
      for (const [balance, group] of Map.groupBy(reservations, ([, reservation]) => reservation.balance)) {
        for (let at = 0; at < group.length; at += BATCH) {
          const batch = group.slice(at, at + BATCH).flatMap(([, { id, microcents }]) => [id, microcents])
          const args = [this.#reservationMs, this.#link.deadline, ...batch]
          calls.push(this.#link.run(RENEW, account, keysOf(account, balance), args))
        }
      }
    }
    let repeats = 0
    for (const [name, settlement] of this.#unsent) {
      if (++repeats > MAX_REPEATS) break
      // If it is lost again, #settle() adds it at the end.
      this.#unsent.delete(name)
      // A settlement of nothing is not needed after the reservation has expired.
      const repeatMs = settlement.microcents > 0 ? REPEAT_MS : this.#reservationMs
      if (now - settlement.since < repeatMs) this.#settle(settlement)
    }
    await Promise.all(calls)
  }

  #reserve(claim: BalanceClaim, totals: LedgerTotals): Promise<CreditState | undefined> {
    const { account, balance = '', id, microcents, initialMicrocents, enforced } = claim
    const args = [microcents, initialMicrocents + totals.granted, totals.charged, this.#reservationMs]
    return this.#batcher.check(account, id, {
      ...{ kind: 'credit', keys: keysOf(account, balance), args, enforced },
      onReply: (allowed, [availableMicrocents, redisNow]) => {
        const now = this.#clock.monotonic()
        this.#aheadMs = redisNow - now
        if (allowed) this.#add(claim, now)
        return { allowed, availableMicrocents }
      },
      decideLocally: () => this.#reserveLocally(claim),
      refuses: ({ allowed }) => !allowed,
      undo: () => this.#end({ id, account, balance }, 0, this.#aheadMs),
    })
  }

  /** Decides without the balance in Redis. */
  #reserveLocally(claim: BalanceClaim): CreditState {
    const state = claim.decideLocally?.() ?? { allowed: true, availableMicrocents: Number.POSITIVE_INFINITY }
    if (claim.decideLocally === undefined && claim.onStoreFailure !== 'fail_open') throw storeUnavailable()
    if (state.allowed) this.#add(claim, this.#clock.monotonic())
    return state
  }

  #add({ account, id, balance = '', microcents }: BalanceClaim, now: number): void {
    this.#renewals.add(account, id + balance, { id, balance, microcents, aheadMs: this.#aheadMs }, now)
  }

  #end(reservation: Pick<Settlement, 'id' | 'account' | 'balance'>, microcents: number, aheadMs: number): void {
    const since = this.#clock.monotonic()
    this.#settle({ ...reservation, microcents, since, settledAt: Math.max(Math.floor(since + aheadMs), 0) })
  }

  #settle(settlement: Settlement): void {
    const { id, account, balance, microcents, settledAt } = settlement
    const keys = [...keysOf(account, balance), settledKey(account, balance, id)]
    this.#batcher.release(account, id, { kind: 'credit', keys, args: [microcents, SETTLED_MS, settledAt] }, () => {
      if (this.#unsent.size < MAX_UNSENT) this.#unsent.set(id + balance, settlement)
    })
  }
}
