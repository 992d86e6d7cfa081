import { randomUUID } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { NOW, type RedisLink, script } from './link.ts'

const KEY = 'sluiceway:{processes}'
const TAG = 'processes'
const EVERY_MS = 3000
const TTL_MS = 10_000

const HEARTBEAT = script(
  'sluicewayHeartbeat',
  `${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
return { redis.call('ZCARD', KEYS[1]) }
`,
)

/** Counts the processes that share Redis, which gives the local share of each while Redis is unavailable. */
export class Processes {
  readonly #link: RedisLink
  readonly #clock: Clock
  readonly #id = randomUUID()
  /** Lower bound: the number of workers in the configuration. */
  readonly #atLeast: number
  #count: number
  #dueAt = 0

  constructor(link: RedisLink, clock: Clock, atLeast: number) {
    this.#link = link
    this.#clock = clock
    this.#atLeast = atLeast
    this.#count = atLeast
  }

  /** This process's local share of a limit, at least 1. The shares add up to at most the limit, or to one per process. */
  share(limit: number): number {
    return Math.max(1, Math.floor(limit / this.#count))
  }

  /** Registers this process for the next seconds and counts all of them. */
  async heartbeat(): Promise<void> {
    const now = this.#clock.monotonic()
    if (now < this.#dueAt) return
    this.#dueAt = now + EVERY_MS
    const reply = await this.#link.run(HEARTBEAT, TAG, [KEY], [this.#id, TTL_MS])
    // While Redis is unavailable the last count stays.
    if (reply !== undefined) this.#count = Math.max(this.#atLeast, reply[0]!)
  }

  /** Removes this process from the count. */
  async leave(): Promise<void> {
    await this.#link.call(TAG, client => client.zrem(KEY, this.#id))
  }
}
