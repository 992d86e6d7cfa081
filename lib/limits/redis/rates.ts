import { type RateClaim, type RateState, type Rates, storeAway } from '../limits.ts'
import type { MemoryRates } from '../memory/rates.ts'
import { NOW, type RedisLink, script } from './link.ts'
import { onceKey, REMEMBER_MS } from './once.ts'
import type { Processes } from './processes.ts'

/** How many there were in each second, their sum, and the second up to which both are true. */
const keyOf = (account: string, name: string) => `sluiceway:{${account}}:rate:${name}`

/**
 * As SlidingMinute in memory/rates.ts. KEYS: counts, mark of the request. ARGV: limit, how long the mark is kept.
 */
const TAKE = script(`${NOW}
local second = math.floor(now / 1000)
local state = redis.call('HMGET', KEYS[1], 'last', 'sum')
local last, sum = tonumber(state[1] or second), tonumber(state[2] or 0)
if second < last then second = last end
for leaving = last - 60, math.min(last, second - 61) do
  local count = redis.call('HGET', KEYS[1], leaving)
  if count then
    sum = sum - tonumber(count)
    redis.call('HDEL', KEYS[1], leaving)
  end
end
local again = redis.call('EXISTS', KEYS[2]) == 1
local allowed = again or sum < tonumber(ARGV[1])
if allowed and not again then
  sum = sum + 1
  redis.call('HINCRBY', KEYS[1], second, 1)
  redis.call('SET', KEYS[2], '', 'PX', ARGV[2])
end
redis.call('HSET', KEYS[1], 'last', second, 'sum', sum)
redis.call('EXPIRE', KEYS[1], 62)
if allowed then return { 1, sum, 0 } end
local oldest = second - 60
while oldest < second and redis.call('HEXISTS', KEYS[1], oldest) == 0 do oldest = oldest + 1 end
return { 0, sum, (oldest + 61) * 1000 - now }
`)

export class RedisRates implements Rates {
  readonly #link: RedisLink
  readonly #processes: Processes
  /** What counts while Redis is away. */
  readonly #here: MemoryRates

  constructor(link: RedisLink, processes: Processes, here: MemoryRates) {
    this.#link = link
    this.#processes = processes
    this.#here = here
  }

  async take({ account, id, name, perMinute, onStoreFailure }: RateClaim): Promise<RateState> {
    const keys = [keyOf(account, name), onceKey(account, name, id)]
    const reply = await this.#link.run(TAKE, account, keys, [perMinute, REMEMBER_MS])
    if (reply !== undefined) {
      const [allowed, sum, resetMs] = reply as [number, number, number]
      return { allowed: allowed === 1, remaining: Math.max(0, perMinute - sum), resetMs }
    }
    if (onStoreFailure === 'fail_closed') throw storeAway()
    const here = onStoreFailure === 'fail_open' ? Number.POSITIVE_INFINITY : this.#processes.share(perMinute)
    return this.#here.take({ account, name, perMinute: here })
  }
}
