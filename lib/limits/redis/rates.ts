import { type RateClaim, type RateState, type Rates, storeAway } from '../limits.ts'
import type { MemoryRates } from '../memory/rates.ts'
import { NOW, parting, type RedisLink, script } from './link.ts'
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
if allowed then return { 1, sum, 0, second } end
local oldest = second - 60
while oldest < second and redis.call('HEXISTS', KEYS[1], oldest) == 0 do oldest = oldest + 1 end
return { 0, sum, (oldest + 61) * 1000 - now, second }
`)

/** KEYS: counts. ARGV: the second in which it counts. A count that has left the minute is in no field any more. */
const GIVE_BACK = parting(`
if tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 0) < 1 then return { 0 } end
redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
redis.call('HINCRBY', KEYS[1], 'sum', -1)
return { 1 }
`)

export class RedisRates implements Rates {
  readonly #link: RedisLink
  readonly #processes: Processes
  /** What counts while Redis is away. */
  readonly #here: MemoryRates
  readonly #countedHere = new WeakSet<RateState>()

  constructor(link: RedisLink, processes: Processes, here: MemoryRates) {
    this.#link = link
    this.#processes = processes
    this.#here = here
  }

  async take(claim: RateClaim): Promise<RateState> {
    const { account, id, name, perMinute } = claim
    const keys = [keyOf(account, name), onceKey(account, name, id)]
    const reply = await this.#link.run(TAKE, account, keys, [perMinute, REMEMBER_MS])
    if (reply === undefined) return this.#takeHere(claim)
    const [allowed, sum, resetMs, second] = reply as [number, number, number, number]
    return { allowed: allowed === 1, remaining: Math.max(0, perMinute - sum), resetMs, second }
  }

  giveBack(account: string, name: string, state: RateState): void {
    if (this.#countedHere.has(state)) this.#here.giveBack(account, name, state)
    else void this.#link.run(GIVE_BACK, account, [keyOf(account, name)], [state.second])
  }

  #takeHere({ account, name, perMinute, onStoreFailure }: RateClaim): RateState {
    if (onStoreFailure === 'fail_closed') throw storeAway()
    const here = onStoreFailure === 'fail_open' ? Number.POSITIVE_INFINITY : this.#processes.share(perMinute)
    const state = this.#here.take({ account, name, perMinute: here })
    this.#countedHere.add(state)
    return state
  }
}
