import { type QuotaClaim, type QuotaState, type Quotas, storeAway } from '../limits.ts'
import type { MemoryQuotas } from '../memory/quotas.ts'
import { NOW, parting, type RedisLink, script } from './link.ts'
import { onceKey, REMEMBER_MS } from './once.ts'
import type { Processes } from './processes.ts'

/** The end of the window and how many it has admitted. */
const keyOf = (account: string, windowMs: number) => `sluiceway:{${account}}:quota:${windowMs}`

/** KEYS: window, mark of the request. ARGV: limit, window, how long the mark is kept. */
const TAKE = script(`${NOW}
local window = tonumber(ARGV[2])
local state = redis.call('HMGET', KEYS[1], 'end', 'used')
local ends, used = tonumber(state[1] or 0), tonumber(state[2] or 0)
if ends < now - now % window + window then
  ends, used = now - now % window + window, 0
end
local again = redis.call('EXISTS', KEYS[2]) == 1
if not again and used >= tonumber(ARGV[1]) then return { 0, used, ends, ends - now } end
if not again then
  used = used + 1
  redis.call('HSET', KEYS[1], 'end', ends, 'used', used)
  redis.call('PEXPIRE', KEYS[1], ends - now + 1000)
  redis.call('SET', KEYS[2], '', 'PX', ARGV[3])
end
return { 1, used, ends, ends - now }
`)

/** KEYS: window. ARGV: the end of the window that it was taken from. */
const GIVE_BACK = parting(`
local state = redis.call('HMGET', KEYS[1], 'end', 'used')
if not state[1] or tonumber(state[1]) ~= tonumber(ARGV[1]) or tonumber(state[2]) < 1 then return { 0 } end
redis.call('HINCRBY', KEYS[1], 'used', -1)
return { 1 }
`)

export class RedisQuotas implements Quotas {
  readonly #link: RedisLink
  readonly #processes: Processes
  /** What counts while Redis is away. */
  readonly #here: MemoryQuotas
  readonly #countedHere = new WeakSet<QuotaState>()

  constructor(link: RedisLink, processes: Processes, here: MemoryQuotas) {
    this.#link = link
    this.#processes = processes
    this.#here = here
  }

  async take(claim: QuotaClaim): Promise<QuotaState> {
    const { account, id, limit, windowMs } = claim
    const keys = [keyOf(account, windowMs), onceKey(account, 'quota', id)]
    const reply = await this.#link.run(TAKE, account, keys, [limit, windowMs, REMEMBER_MS])
    if (reply === undefined) return this.#takeHere(claim)
    const [allowed, used, end, resetMs] = reply as [number, number, number, number]
    return { allowed: allowed === 1, remaining: Math.max(0, limit - used), end, resetMs }
  }

  giveBack(account: string, windowMs: number, state: QuotaState): void {
    if (this.#countedHere.has(state)) this.#here.giveBack(account, windowMs, state)
    else void this.#link.run(GIVE_BACK, account, [keyOf(account, windowMs)], [state.end])
  }

  #takeHere({ account, limit, windowMs, onStoreFailure }: QuotaClaim): QuotaState {
    if (onStoreFailure === 'fail_closed') throw storeAway()
    const here = onStoreFailure === 'fail_open' ? Number.POSITIVE_INFINITY : this.#processes.share(limit)
    const state = this.#here.take({ account, windowMs, limit: here })
    this.#countedHere.add(state)
    return state
  }
}
