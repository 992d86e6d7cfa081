import { randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { type OnStoreFailure, storeUnavailable } from '../limits.ts'
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

/** The last count of processes, which survives a restart. */
export interface KnownProcesses {
  /** undefined: there was no count yet. */
  readonly last: number | undefined
  keep(count: number): void
}

interface ProcessCounts {
  /** Lower bound: the number of workers in the configuration. */
  readonly atLeast: number
  /** Used if there was no count yet. */
  readonly assumed: number
  readonly known: KnownProcesses
}

/** Counts the processes that share Redis, to compute their local shares while Redis is unavailable. */
export class Processes {
  readonly #link: RedisLink
  readonly #clock: Clock
  readonly #id = randomUUID()
  readonly #atLeast: number
  readonly #known: KnownProcesses
  /** Until this time, Redis may not have counted processes that start at the same time. */
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

  /** The local share of a limit, at least 1. The sum of all shares is at most the limit, or one per process. */
  share(limit: number): number {
    return Math.max(1, Math.floor(limit / this.#count))
  }

  /** What this process admits of a limit while Redis is unavailable. Throws for `fail_closed`. */
  shareOnFailure(limit: number, onStoreFailure: OnStoreFailure): number {
    if (onStoreFailure === 'fail_closed') throw storeUnavailable()
    return onStoreFailure === 'fail_open' ? Number.POSITIVE_INFINITY : this.share(limit)
  }

  /** Registers this process for the next seconds and counts all of them. */
  async heartbeat(): Promise<void> {
    const now = this.#clock.monotonic()
    if (now < this.#dueAt) return
    this.#dueAt = now + EVERY_MS
    const reply = await this.#link.run(HEARTBEAT, TAG, [KEY], [this.#id, TTL_MS])
    if (reply === undefined) {
      // The last count stays. The next heartbeat asks again.
      this.#dueAt = 0
      return
    }
    this.#link.setTime(Number(reply[1]))
    const isStarting = now < this.#startingUntil
    const count = Math.max(this.#atLeast, Number(reply[0]), isStarting ? this.#count : 0)
    if (!isStarting) this.#known.keep(count)
    this.#count = count
  }

  async leave(): Promise<void> {
    await this.#link.call(TAG, client => client.zrem(KEY, this.#id))
  }
}

const FILE_NAME = 'limits-processes'

/** Keeps the count in a file of this directory. Processes of one machine may share the directory. */
export function knownProcesses(directory: string): KnownProcesses {
  const file = join(directory, FILE_NAME)
  let last = read(file)
  return {
    get last() {
      return last
    },
    keep(count) {
      if (count === last) return
      last = count
      try {
        // Renamed, so that no other process reads a part of the file.
        writeFileSync(`${file}.${process.pid}`, `${count}\n`)
        renameSync(`${file}.${process.pid}`, file)
      } catch {
        // The journal reports a disk that cannot be written. Without the file, a start uses the configured number.
      }
    },
  }
}

/** undefined: the file does not exist or contains no count. */
function read(file: string): number | undefined {
  try {
    const count = Number(readFileSync(file, 'utf8'))
    return Number.isInteger(count) && count >= 1 ? count : undefined
  } catch {
    return undefined
  }
}
