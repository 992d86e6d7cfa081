import { type RateClaim, type RateState, type Rates, storeAway } from '../limits.ts'
import type { MemoryRates } from '../memory/rates.ts'
import type { LimitBatcher, Piece } from './limit-batcher.ts'
import { onceKey, REMEMBER_MS } from './limit-batcher.ts'
import type { Processes } from './processes.ts'

/**
 * A hash of the last minute. `<second>`: how many requests there were in it. `at<second>`: when the last of those was.
 * `sum`: of all these seconds. `last`: the second in which the hash was brought up to date. Seconds and milliseconds since
 * the epoch, on the server's clock.
 */
const keyOf = (account: string, name: string) => `sluiceway:{${account}}:rate:${name}`

/**
 * Counts as SlidingMinute in memory/rates.ts does. decide: KEYS the hash, the request's mark; ARGV the limit, milliseconds
 * for which the mark is kept. give_back: ARGV the second in which the request was counted. A second that has left the
 * minute has no field any more, and nothing is given back there.
 */
export const RATE: Piece = {
  lua: `
limits.rate = {
  keys = 2, args = 2, end_keys = 1, end_args = 1,
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
  give_back = function(key, arg)
    if tonumber(redis.call('HGET', KEYS[key], ARGV[arg]) or 0) < 1 then return end
    redis.call('HINCRBY', KEYS[key], ARGV[arg], -1)
    redis.call('HINCRBY', KEYS[key], 'sum', -1)
  end,
}`,
}

/** Requests in the last minute of all processes, on Redis's clock. */
export class RedisRates implements Rates {
  readonly #batcher: LimitBatcher
  readonly #processes: Processes
  /** What counts while Redis is away. */
  readonly #here: MemoryRates
  readonly #countedHere = new WeakSet<RateState>()

  constructor(batcher: LimitBatcher, processes: Processes, here: MemoryRates) {
    this.#batcher = batcher
    this.#processes = processes
    this.#here = here
  }

  take(claim: RateClaim): Promise<RateState | undefined> {
    const { account, id, name, perMinute, enforced } = claim
    const keys = [keyOf(account, name), onceKey(account, name, id)]
    return this.#batcher.ask(account, id, {
      ...{ kind: 'rate', keys, args: [perMinute, REMEMBER_MS], enforced },
      decided: (allowed, [sum, resetMs, second]) => ({
        allowed,
        remaining: Math.max(0, perMinute - sum),
        resetMs,
        second,
      }),
      here: () => this.#takeHere(claim),
      refuses: ({ allowed }) => !allowed,
    })
  }

  giveBack(account: string, id: string, name: string, state: RateState): void {
    if (this.#countedHere.has(state)) return this.#here.giveBack(account, id, name, state)
    this.#batcher.end(account, id, { kind: 'rate', keys: [keyOf(account, name)], args: [state.second] })
  }

  #takeHere({ account, name, perMinute, onStoreFailure }: RateClaim): RateState {
    if (onStoreFailure === 'fail_closed') throw storeAway()
    const here = onStoreFailure === 'fail_open' ? Number.POSITIVE_INFINITY : this.#processes.share(perMinute)
    const state = this.#here.take({ account, name, perMinute: here })
    this.#countedHere.add(state)
    return state
  }
}
