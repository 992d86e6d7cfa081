import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import type { Metrics } from '../../base/metrics.ts'
import { within } from '../../base/timeout.ts'
import type { RedisClient } from './client.ts'

/** A Lua script. It answers with a list of integers. */
export interface Script {
  readonly lua: string
  /** null: its text is sent every time. */
  readonly sha: string | null
}

/** A script that is sent by its hash, and by its text when Redis does not know it. */
export function script(lua: string): Script {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') }
}

/** A script that nobody waits for: sent in one step, so that it has run when the next command runs. */
export function parting(lua: string): Script {
  return { lua, sha: null }
}

/** What a script starts with that needs the time: `now` in milliseconds, on the server's clock, which is everybody's. */
export const NOW = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
`

export interface LinkParts {
  readonly client: RedisClient
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  /** In a cluster one node may be away while the others answer. */
  readonly cluster: boolean
  /** A command that has no answer after so many milliseconds is given up. */
  readonly answerMs: number
}

/** Pause before Redis is tried again. One request tries, the others go on without. */
const RETRY_MS = 500
/** Errors that concern one script and its keys, and say nothing about the server. */
const OWN_FAULT = /^(ERR|WRONGTYPE) /
/** Such errors are logged this often. */
const QUIET_MS = 10_000
/** Accounts of a cluster are watched in so many groups. */
const GROUPS = 64

/** Runs scripts for as long as Redis answers. After a failure nobody waits for it until it has answered again. */
export class RedisLink {
  readonly #client: RedisClient
  readonly #answerMs: number
  readonly #clock: Clock
  readonly #log: Logger
  readonly #failures: ReturnType<Metrics['counter']>
  readonly #up: ReturnType<Metrics['gauge']>
  /** By group: 0 while Redis answers, else when it is tried again. */
  readonly #retryAt: number[]
  /** Why there is no connection, in the words of whoever refused it. */
  #noConnection: string | undefined
  #away = 0
  #quietUntil = 0

  constructor({ client, clock, log, metrics, cluster, answerMs }: LinkParts) {
    this.#client = client
    this.#answerMs = answerMs
    this.#clock = clock
    this.#log = log
    this.#retryAt = new Array<number>(cluster ? GROUPS : 1).fill(0)
    this.#up = metrics.gauge({
      name: 'sluiceway_limits_store_up',
      aggregator: 'min',
      help: '1 while the shared limits store answers, 0 while limits go by their on_store_failure.',
    })
    this.#up.set(1)
    this.#failures = metrics.counter({
      name: 'sluiceway_limits_store_failures_total',
      help: 'Calls of the shared limits store that had no answer.',
    })
  }

  /** `hashTag`: what stands in the braces of all keys. undefined: Redis is away. Never rejects. */
  async run(
    script: Script,
    hashTag: string,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<readonly number[] | undefined> {
    const group = this.#groupOf(hashTag)
    const retryAt = this.#retryAt[group]!
    if (retryAt > 0) {
      const now = this.#clock.monotonic()
      if (now < retryAt) return undefined
      this.#retryAt[group] = now + RETRY_MS
    }
    try {
      const reply = await this.#evaluate(script, keys, args)
      if (this.#retryAt[group]! > 0) this.#answers(group)
      return reply as readonly number[]
    } catch (error) {
      const problem = (error as Error).message
      if (OWN_FAULT.test(problem)) this.#refuses(group, problem)
      else this.#fails(group, problem)
      return undefined
    }
  }

  /** What is heard of the connection itself: undefined once it stands. */
  noteConnection(problem: NodeJS.ErrnoException | undefined): void {
    // Of several addresses that were tried Node gives the code alone.
    this.#noConnection = problem?.message || problem?.code
  }

  /** Ends the connection after what has been sent. */
  async close(): Promise<void> {
    await this.#inTime(this.#client.quit()).catch(() => {})
    this.#client.disconnect()
  }

  async #evaluate({ lua, sha }: Script, keys: readonly string[], args: readonly (string | number)[]) {
    if (sha !== null) {
      try {
        return await this.#inTime(this.#client.evalsha(sha, keys.length, ...keys, ...args))
      } catch (error) {
        if (!(error as Error).message.startsWith('NOSCRIPT')) throw error
      }
    }
    return await this.#inTime(this.#client.eval(lua, keys.length, ...keys, ...args))
  }

  /** Each command by itself: a Redis that asks for the text of a script has answered. */
  #inTime<T>(answer: Promise<T>): Promise<T> {
    return within(this.#answerMs, 'no answer in time', answer)
  }

  /** Redis answers, if only with an error: other requests need not go without it. */
  #refuses(group: number, problem: string): void {
    if (this.#retryAt[group]! > 0) this.#answers(group)
    this.#failures.inc()
    const now = this.#clock.monotonic()
    if (now < this.#quietUntil) return
    this.#quietUntil = now + QUIET_MS
    this.#log.error({ problem }, 'the limits store refuses a script')
  }

  #answers(group: number): void {
    this.#retryAt[group] = 0
    if (--this.#away > 0) return
    this.#up.set(1)
    this.#log.info('the limits store answers again')
  }

  /** The message alone: an error of ioredis carries the command with its arguments. */
  #fails(group: number, problem: string): void {
    this.#failures.inc()
    if (this.#retryAt[group] === 0 && this.#away++ === 0) {
      this.#up.set(0)
      this.#log.error({ problem: this.#noConnection ?? problem }, 'the limits store does not answer')
    }
    this.#retryAt[group] = this.#clock.monotonic() + RETRY_MS
  }

  #groupOf(hashTag: string): number {
    if (this.#retryAt.length === 1) return 0
    let hash = 0
    for (let i = 0; i < hashTag.length; i++) hash = (hash * 31 + hashTag.charCodeAt(i)) | 0
    return (hash >>> 0) % this.#retryAt.length
  }
}
