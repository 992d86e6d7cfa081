import { randomUUID } from 'node:crypto'
import type { QuotaClaim, QuotaState, Quotas, WindowUse } from '../limits.ts'
import type { MemoryQuotas } from '../memory/quotas.ts'
import type { LimitBatcher } from './limit-batcher.ts'
import { countedKey, type LimitScript } from './limit-script.ts'
import type { Processes } from './processes.ts'

/** A hash: the window's end, and the number of requests that it has admitted. */
const keyOf = (account: string, windowMs: number) => `sluiceway:{${account}}:quota:${windowMs}`

/**
 * decide: KEYS the window, countedKey(). ARGV the limit, the window's length. release: ARGV the end of the window in
 * which the request was counted. Times in milliseconds.
 */
export const QUOTA: LimitScript = {
  lua: `
limits.quota = {
  keys = 2, args = 2, release_keys = 1, release_args = 1,
  decide = function(key, arg)
    local window = tonumber(ARGV[arg + 1])
    local state = state_of(KEYS[key], function()
      local stored = redis.call('HMGET', KEYS[key], 'end', 'used')
      local ends, used = tonumber(stored[1] or 0), tonumber(stored[2] or 0)
      if ends < now - now % window + window then
        ends, used = now - now % window + window, 0
      end
      return { ends = ends, used = used }
    end)
    local ends, used = state.ends, state.used
    if used >= tonumber(ARGV[arg]) then
      return is_counted(KEYS[key + 1]), function() end, used, ends, ends - now
    end
    return true, function()
      if is_counted(KEYS[key + 1]) then return end
      set_counted(KEYS[key + 1])
      state.used = used + 1
      state.write = function()
        redis.call('HSET', KEYS[key], 'end', ends, 'used', state.used)
        redis.call('PEXPIRE', KEYS[key], ends - now + 1000)
      end
    end, used + 1, ends, ends - now
  end,
  release = function(key, arg)
    local state = redis.call('HMGET', KEYS[key], 'end', 'used')
    if not state[1] or tonumber(state[1]) ~= tonumber(ARGV[arg]) or tonumber(state[2]) < 1 then return end
    redis.call('HINCRBY', KEYS[key], 'used', -1)
  end,
}`,
}

/** The quotas of all processes, in windows on the Redis server's clock. */
export class RedisQuotas implements Quotas {
  readonly #batcher: LimitBatcher
  readonly #processes: Processes
  /** Counts while Redis is unavailable. */
  readonly #local: MemoryQuotas
  readonly #countedLocally = new WeakSet<QuotaState>()

  constructor(batcher: LimitBatcher, processes: Processes, local: MemoryQuotas) {
    this.#batcher = batcher
    this.#processes = processes
    this.#local = local
  }

  take(claim: QuotaClaim): Promise<QuotaState | undefined> {
    const { account, id, limit, windowMs, enforced } = claim
    const keys = [keyOf(account, windowMs), countedKey(account, 'quota')]
    return this.#batcher.check(account, id, {
      ...{ kind: 'quota', keys, args: [limit, windowMs], enforced },
      onReply: (allowed, [used, end, resetMs]) => ({ allowed, remaining: Math.max(0, limit - used), end, resetMs }),
      decideLocally: () => this.#takeLocally(claim),
      refuses: ({ allowed }) => !allowed,
    })
  }

  async used(account: string, windowMs: number): Promise<WindowUse> {
    const id = randomUUID()
    // A limit of 0 refuses, so nothing is counted.
    const use = await this.#batcher.check(account, id, {
      ...{ kind: 'quota', keys: [keyOf(account, windowMs), countedKey(account, 'quota')] },
      ...{ args: [0, windowMs], enforced: true },
      onReply: (_allowed, [used, end]) => ({ used, end }),
      decideLocally: () => this.#local.used(account, windowMs),
      refuses: () => true,
    })
    return use ?? this.#local.used(account, windowMs)
  }

  giveBack(account: string, id: string, windowMs: number, state: QuotaState): void {
    if (this.#countedLocally.has(state)) return this.#local.giveBack(account, id, windowMs, state)
    this.#batcher.release(account, id, { kind: 'quota', keys: [keyOf(account, windowMs)], args: [state.end] })
  }

  #takeLocally({ account, limit, windowMs, onStoreFailure }: QuotaClaim): QuotaState {
    const localLimit = this.#processes.shareOnFailure(limit, onStoreFailure)
    const state = this.#local.take({ account, windowMs, limit: localLimit })
    this.#countedLocally.add(state)
    return state
  }
}
