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
return { redis.call('ZCARD', KEYS[1]), now }
`,
)

/** What a process has known of the others before it was started again. */
export interface KnownProcesses {
  /** undefined: it has never counted them. */
  readonly last: number | undefined
  keep(count: number): void
}

export interface ProcessCounts {
  /** Lower bound: the number of workers in the configuration. */
  readonly atLeast: number
  /** Where this process has never counted the others. */
  readonly assumed: number
  readonly known: KnownProcesses
}

/** Counts the processes that share Redis, which gives the local share of each while Redis is unavailable. */
export class Processes {
  readonly #link: RedisLink
  readonly #clock: Clock
  readonly #id = randomUUID()
  readonly #atLeast: number
  readonly #known: KnownProcesses
  /** Until then, others that start at the same time may not be counted yet. */
  readonly #startingUntil: number
  #count: number
  #dueAt = 0

  constructor(link: RedisLink, clock: Clock, { atLeast, assumed, known }: ProcessCounts) {
    this.#link = link
    this.#clock = clock
    this.#atLeast = atLeast
    this.#known = known
    this.#startingUntil = clock.monotonic() + TTL_MS
    this.#count = Math.max(atLeast, known.last ?? assumed)
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
    if (reply === undefined) {
      // The last count stays. Redis is asked again as soon as a call is let through.
      this.#dueAt = 0
      return
    }
    this.#link.setTime(reply[1]!)
    const isStarting = now < this.#startingUntil
    const count = Math.max(this.#atLeast, reply[0]!, isStarting ? this.#count : 0)
    if (!isStarting) this.#known.keep(count)
    this.#count = count
  }

  /** Removes this process from the count. */
  async leave(): Promise<void> {
    await this.#link.call(TAG, client => client.zrem(KEY, this.#id))
  }
}
