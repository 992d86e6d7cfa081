import { randomUUID } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { NOW, parting, type RedisLink, script } from './link.ts'

const KEY = 'sluiceway:{processes}'
const TAG = 'processes'
const EVERY_MS = 3000
const TTL_MS = 10_000

const ENTER = script(`${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
return { redis.call('ZCARD', KEYS[1]) }
`)

const LEAVE = parting(`return { redis.call('ZREM', KEYS[1], ARGV[1]) }`)

/** Counts the processes that share the store, so that each knows its share when the store is away. */
export class Processes {
  readonly #link: RedisLink
  readonly #clock: Clock
  readonly #id = randomUUID()
  /** Never below what the configuration starts. */
  readonly #atLeast: number
  #count: number
  #dueAt = 0

  constructor(link: RedisLink, clock: Clock, atLeast: number) {
    this.#link = link
    this.#clock = clock
    this.#atLeast = atLeast
    this.#count = atLeast
  }

  /** This process's part of a limit: at least 1. All parts together are no more than the limit, or than one each. */
  share(limit: number): number {
    return Math.max(1, Math.floor(limit / this.#count))
  }

  async beat(): Promise<void> {
    const now = this.#clock.monotonic()
    if (now < this.#dueAt) return
    this.#dueAt = now + EVERY_MS
    const reply = await this.#link.run(ENTER, TAG, [KEY], [this.#id, TTL_MS])
    // While Redis is away the last known number holds.
    if (reply !== undefined) this.#count = Math.max(this.#atLeast, reply[0]!)
  }

  async leave(): Promise<void> {
    await this.#link.run(LEAVE, TAG, [KEY], [this.#id])
  }
}
