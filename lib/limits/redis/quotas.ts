import { type QuotaClaim, type QuotaState, type Quotas, storeAway } from '../limits.ts'
import type { MemoryQuotas } from '../memory/quotas.ts'
import type { LimitBatcher, Piece } from './limit-batcher.ts'
import { onceKey, REMEMBER_MS } from './limit-batcher.ts'
import type { Processes } from './processes.ts'

/** The end of the window and how many it has admitted. */
const keyOf = (account: string, windowMs: number) => `sluiceway:{${account}}:quota:${windowMs}`

/**
 * decide: KEYS window, mark of the request; ARGV limit, window, how long the mark is kept. give_back: ARGV the end of the
 * window that it was taken from.
 */
export const QUOTA: Piece = {
  lua: `
limits.quota = {
  keys = 2, args = 3, end_keys = 1, end_args = 1,
  decide = function(key, arg)
    local window = tonumber(ARGV[arg + 1])
    local state = redis.call('HMGET', KEYS[key], 'end', 'used')
    local ends, used = tonumber(state[1] or 0), tonumber(state[2] or 0)
    if ends < now - now % window + window then
      ends, used = now - now % window + window, 0
    end
    if redis.call('EXISTS', KEYS[key + 1]) == 1 then return true, function() end, used, ends, ends - now end
    if used >= tonumber(ARGV[arg]) then return false, nil, used, ends, ends - now end
    return true, function()
      redis.call('HSET', KEYS[key], 'end', ends, 'used', used + 1)
      redis.call('PEXPIRE', KEYS[key], ends - now + 1000)
      redis.call('SET', KEYS[key + 1], '', 'PX', ARGV[arg + 2])
    end, used + 1, ends, ends - now
  end,
  give_back = function(key, arg)
    local state = redis.call('HMGET', KEYS[key], 'end', 'used')
    if not state[1] or tonumber(state[1]) ~= tonumber(ARGV[arg]) or tonumber(state[2]) < 1 then return end
    redis.call('HINCRBY', KEYS[key], 'used', -1)
  end,
}`,
}

/** Included requests of all processes, in windows on Redis's clock. */
export class RedisQuotas implements Quotas {
  readonly #batcher: LimitBatcher
  readonly #processes: Processes
  /** What counts while Redis is away. */
  readonly #here: MemoryQuotas
  readonly #countedHere = new WeakSet<QuotaState>()

  constructor(batcher: LimitBatcher, processes: Processes, here: MemoryQuotas) {
    this.#batcher = batcher
    this.#processes = processes
    this.#here = here
  }

  take(claim: QuotaClaim): Promise<QuotaState | undefined> {
    const { account, id, limit, windowMs, enforced } = claim
    const keys = [keyOf(account, windowMs), onceKey(account, 'quota', id)]
    return this.#batcher.ask(account, id, {
      ...{ kind: 'quota', keys, args: [limit, windowMs, REMEMBER_MS], enforced },
      decided: (allowed, [used, end, resetMs]) => ({ allowed, remaining: Math.max(0, limit - used), end, resetMs }),
      here: () => this.#takeHere(claim),
      refuses: ({ allowed }) => !allowed,
    })
  }

  giveBack(account: string, id: string, windowMs: number, state: QuotaState): void {
    if (this.#countedHere.has(state)) return this.#here.giveBack(account, id, windowMs, state)
    this.#batcher.end(account, id, { kind: 'quota', keys: [keyOf(account, windowMs)], args: [state.end] })
  }

  #takeHere({ account, limit, windowMs, onStoreFailure }: QuotaClaim): QuotaState {
    if (onStoreFailure === 'fail_closed') throw storeAway()
    const here = onStoreFailure === 'fail_open' ? Number.POSITIVE_INFINITY : this.#processes.share(limit)
    const state = this.#here.take({ account, windowMs, limit: here })
    this.#countedHere.add(state)
    return state
  }
}
