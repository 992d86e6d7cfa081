import { type RateClaim, type RateState, type Rates, storeUnavailable } from '../limits.ts'
import type { MemoryRates } from '../memory/rates.ts'
import { type LimitBatcher, type LimitScript, onceKey, REMEMBER_MS } from './limit-batcher.ts'
import type { Processes } from './processes.ts'

/**
 * A hash that holds the last minute. `<second>`: requests counted in that second. `at<second>`: time of the last one, in
 * milliseconds. `sum`: requests of all these seconds. `last`: the second of the last update. All times are since the
 * epoch, on the Redis server's clock.
 */
const keyOf = (account: string, name: string) => `sluiceway:{${account}}:rate:${name}`

/**
 * The algorithm of SlidingMinute in memory/rates.ts. decide: KEYS the hash, onceKey(); ARGV the limit, how long onceKey()
 * is kept. release: ARGV the second in which the request was counted. A second outside of the last minute has no field
 * any more, so nothing is released there.
 */
export const RATE: LimitScript = {
  lua: `
limits.rate = {
  keys = 2, args = 2, release_keys = 1, release_args = 1,
  decide = function(key, arg)
    local counts = KEYS[key]
    local second = math.floor(now / 1000)
    local state = redis.call('HMGET', counts, 'last', 'sum')
    local last, sum = tonumber(state[1] or second), tonumber(state[2] or 0)
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
    if state[1] then
      redis.call('HSET', counts, 'last', second, 'sum', sum)
      redis.call('EXPIRE', counts, 62)
    end
    if redis.call('EXISTS', KEYS[key + 1]) == 1 then return true, function() end, sum, 0, second end
    if sum >= tonumber(ARGV[arg]) then
      local oldest = second - 60
      while oldest < second and redis.call('HEXISTS', counts, oldest) == 0 do oldest = oldest + 1 end
      local at = tonumber(redis.call('HGET', counts, 'at' .. oldest) or oldest * 1000 + 999)
      return false, nil, sum, at + 60000 - now, second
    end
    return true, function()
      redis.call('HINCRBY', counts, second, 1)
      redis.call('HSET', counts, 'last', second, 'sum', sum + 1, 'at' .. second, now)
      redis.call('EXPIRE', counts, 62)
      redis.call('SET', KEYS[key + 1], '', 'PX', ARGV[arg + 1])
    end, sum + 1, 0, second
  end,
  release = function(key, arg)
    if tonumber(redis.call('HGET', KEYS[key], ARGV[arg]) or 0) < 1 then return end
    redis.call('HINCRBY', KEYS[key], ARGV[arg], -1)
    redis.call('HINCRBY', KEYS[key], 'sum', -1)
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
    const { account, id, name, perMinute, enforced } = claim
    const keys = [keyOf(account, name), onceKey(account, name, id)]
    return this.#batcher.check(account, id, {
      ...{ kind: 'rate', keys, args: [perMinute, REMEMBER_MS], enforced },
      onReply: (allowed, [sum, resetMs, second]) => ({
        allowed,
        remaining: Math.max(0, perMinute - sum),
        resetMs,
        second,
      }),
      decideLocally: () => this.#takeLocally(claim),
      refuses: ({ allowed }) => !allowed,
    })
  }

  giveBack(account: string, id: string, name: string, state: RateState): void {
    if (this.#countedLocally.has(state)) return this.#local.giveBack(account, id, name, state)
    this.#batcher.release(account, id, { kind: 'rate', keys: [keyOf(account, name)], args: [state.second] })
  }

  #takeLocally({ account, name, perMinute, onStoreFailure }: RateClaim): RateState {
    if (onStoreFailure === 'fail_closed') throw storeUnavailable()
    const localLimit = onStoreFailure === 'fail_open' ? Number.POSITIVE_INFINITY : this.#processes.share(perMinute)
    const state = this.#local.take({ account, name, perMinute: localLimit })
    this.#countedLocally.add(state)
    return state
  }
}
