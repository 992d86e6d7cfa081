import { randomUUID } from 'node:crypto'
import type { RateClaim, RateState, Rates } from '../limits.ts'
import type { MemoryRates } from '../memory/rates.ts'
import type { LimitBatcher } from './limit-batcher.ts'
import { countedKey, type LimitScript } from './limit-script.ts'
import type { Processes } from './processes.ts'

/**
 * A hash. `<second>`: amount of that second of the last minute. `at<second>`: its last request, in milliseconds. `sum`:
 * sum of all seconds. `last`: second of the last update. Times are since the epoch, on the Redis server's clock.
 */
const keyOf = (account: string, name: string) => `sluiceway:{${account}}:rate:${name}`

/**
 * The algorithm of SlidingMinute in memory/rates.ts.
 * decide: KEYS the hash, countedKey(). ARGV the limit, `needs` and `takes` of the claim.
 * Returns the sum, the counted amount or the wait, the second.
 * release: ARGV the second of the request, the change of its amount. Older seconds have no field: nothing changes.
 */
export const RATE: LimitScript = {
  lua: `
limits.rate = {
  keys = 2, args = 3, release_keys = 1, release_args = 2,
  decide = function(key, arg)
    local counts, limit = KEYS[key], tonumber(ARGV[arg])
    local needs, takes = tonumber(ARGV[arg + 1]), tonumber(ARGV[arg + 2])
    local state = state_of(counts, function()
      local second = math.floor(now / 1000)
      local stored = redis.call('HMGET', counts, 'last', 'sum')
      local last, sum = tonumber(stored[1] or second), tonumber(stored[2] or 0)
      if second < last then second = last end
      local function drop(leaving, count)
        sum = sum - tonumber(count)
        redis.call('HDEL', counts, leaving, 'at' .. leaving)
      end
      for leaving = last - 60, math.min(last, second - 61) do
        local count = redis.call('HGET', counts, leaving)
        if count then drop(leaving, count) end
      end
      local oldest = redis.call('HMGET', counts, second - 60, 'at' .. (second - 60))
      if oldest[1] and oldest[2] and tonumber(oldest[2]) <= now - 60000 then drop(second - 60, oldest[1]) end
      local state = { second = second, sum = sum, added = 0, is_stored = stored[1] }
      state.write = function()
        if state.is_counted then
          redis.call('HINCRBY', counts, second, state.added)
          redis.call('HSET', counts, 'last', second, 'sum', state.sum, 'at' .. second, now)
        elseif state.is_stored then
          redis.call('HSET', counts, 'last', second, 'sum', state.sum)
        end
        redis.call('EXPIRE', counts, 62)
        state.added = 0
      end
      return state
    end)
    local sum, second, max_sum = state.sum, state.second, limit - math.min(needs, limit)
    if sum > max_sum then
      if is_counted(KEYS[key + 1]) then return true, function() end, sum, takes, second end
      state.write()
      local leaving, left, at = second - 61, sum, now
      while left > max_sum and leaving < second do
        leaving = leaving + 1
        local stored = redis.call('HMGET', counts, leaving, 'at' .. leaving)
        if stored[1] then
          left = left - tonumber(stored[1])
          at = tonumber(stored[2] or leaving * 1000 + 999)
        end
      end
      return false, nil, sum, at + 60000 - now, second
    end
    takes = math.min(takes, limit - sum)
    return true, function()
      if is_counted(KEYS[key + 1]) then return end
      set_counted(KEYS[key + 1])
      state.sum, state.added, state.is_counted = sum + takes, state.added + takes, true
    end, sum + takes, takes, second
  end,
  release = function(key, arg)
    local counted = redis.call('HGET', KEYS[key], ARGV[arg])
    if not counted then return end
    local change = math.max(tonumber(ARGV[arg + 1]), -tonumber(counted))
    -- The change may be -0, which Redis does not accept as an integer.
    if change == 0 then return end
    redis.call('HINCRBY', KEYS[key], ARGV[arg], change)
    redis.call('HINCRBY', KEYS[key], 'sum', change)
  end,
}`,
}

/** The rate limits of all processes, on the Redis server's clock. */
export class RedisRates implements Rates {
  readonly #batcher: LimitBatcher
  readonly #processes: Processes
  /** Counts while Redis is unavailable. */
  readonly #local: MemoryRates
  readonly #countedLocally = new WeakSet<RateState>()

  constructor(batcher: LimitBatcher, processes: Processes, local: MemoryRates) {
    this.#batcher = batcher
    this.#processes = processes
    this.#local = local
  }

  take(claim: RateClaim): Promise<RateState | undefined> {
    const { account, id, name, perMinute, needs = 1, takes = needs, enforced } = claim
    const keys = [keyOf(account, name), countedKey(account, name)]
    return this.#batcher.check(account, id, {
      ...{ kind: 'rate', keys, args: [perMinute, needs, takes], enforced },
      onReply: (allowed, [sum, taken, second]) => ({
        allowed,
        amount: allowed ? taken : 0,
        remaining: Math.max(0, perMinute - sum),
        resetMs: allowed ? 0 : taken,
        second,
      }),
      decideLocally: () => this.#takeLocally(claim),
      refuses: ({ allowed }) => !allowed,
    })
  }

  async used(account: string, name: string): Promise<number> {
    const id = randomUUID()
    // A limit of 0 counts nothing.
    const sum = await this.#batcher.check(account, id, {
      ...{ kind: 'rate', keys: [keyOf(account, name), countedKey(account, name)], args: [0, 0, 0], enforced: true },
      onReply: (_allowed, [sum]) => sum,
      decideLocally: () => this.#local.used(account, name),
      refuses: () => true,
    })
    return sum ?? this.#local.used(account, name)
  }

  giveBack(account: string, id: string, name: string, state: RateState): void {
    this.settle(account, id, name, state, 0)
  }

  settle(account: string, id: string, name: string, state: RateState, amount: number): void {
    if (this.#countedLocally.has(state)) return this.#local.settle(account, id, name, state, amount)
    if (amount === state.amount) return
    const args = [state.second, amount - state.amount]
    this.#batcher.release(account, id, { kind: 'rate', keys: [keyOf(account, name)], args })
  }

  #takeLocally({ account, name, perMinute, needs, takes, onStoreFailure }: RateClaim): RateState {
    const localLimit = this.#processes.shareOnFailure(perMinute, onStoreFailure)
    const state = this.#local.take({ account, name, perMinute: localLimit, needs, takes })
    this.#countedLocally.add(state)
    return state
  }
}
