import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import type { Metrics } from '../../base/metrics.ts'
import { within, withinListening } from '../../base/timeout.ts'
import type { RedisClient } from './client.ts'

/** A Lua script that replies with a list of integers. */
export interface Script {
  /** The name of the command that ioredis defines for it; must not be one of Redis's own. */
  readonly name: string
  readonly lua: string
}

export function script(name: string, lua: string): Script {
  return { name, lua }
}

type ScriptCommand = (keyCount: number, ...keysAndArgs: readonly (string | number)[]) => Promise<readonly number[]>

/** Lua that sets `now` to the server's time in milliseconds, the one clock that all processes share. */
export const NOW = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
`

export interface LinkOptions {
  readonly client: RedisClient
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  /** In a cluster, one node may be unavailable while others answer. */
  readonly cluster: boolean
  /** A command fails if it has no reply after this time, not counting time in which this process was too busy to read one. */
  readonly replyTimeoutMs: number
  /** Redis answers again. `awayMs`: milliseconds since it did not. */
  readonly onAgain?: (awayMs: number) => void
}

/** For what passes between the clocks of two computers and a command's way to Redis. */
const SPARE_MS = 100
/** Pause before Redis is tried again. One request tries; until it succeeds the others decide locally. */
const RETRY_MS = 500
/** Errors of one script or its keys, while the server itself works. */
const SCRIPT_ERROR = /^(ERR|WRONGTYPE) /
/** Script errors are logged at most once in this time. */
const LOG_EVERY_MS = 10_000
/** In a cluster, availability is tracked for this many groups of accounts. */
const GROUPS = 64

/** Runs scripts while Redis answers. After a failure no request waits for Redis until it has answered again. */
export class RedisLink {
  readonly #client: RedisClient
  readonly #commands = new Map<Script, ScriptCommand>()
  readonly #replyTimeoutMs: number
  readonly #clock: Clock
  readonly #log: Logger
  readonly #failures: ReturnType<Metrics['counter']>
  readonly #up: ReturnType<Metrics['gauge']>
  readonly #seconds: ReturnType<Metrics['histogram']>
  readonly #onAgain: (awayMs: number) => void
  readonly #isCluster: boolean
  /** By how many milliseconds Redis's clock is ahead of this process's monotonic one, at least; undefined: not known. */
  #aheadMs: number | undefined
  #hasAnswered = false
  /** Per group: 0 while Redis answers, else when it is tried again (monotonic milliseconds). */
  readonly #retryAt: number[]
  /** Why there is no connection; undefined while there is one. */
  #connectionProblem: string | undefined
  /** Groups for which Redis does not answer. */
  #unavailable = 0
  /** Until the start is over, failures are not logged: a process that is busy with its start may read replies of Redis late. */
  #isStarting = true
  #lastProblem: string | undefined = undefined
  /** Since when there are any (monotonic milliseconds). */
  #awaySince = 0
  #logAgainAt = 0

  constructor({ client, clock, log, metrics, cluster, replyTimeoutMs, onAgain }: LinkOptions) {
    this.#onAgain = onAgain ?? (() => {})
    this.#isCluster = cluster
    this.#client = client
    this.#replyTimeoutMs = replyTimeoutMs
    this.#clock = clock
    this.#log = log
    this.#retryAt = new Array<number>(cluster ? GROUPS : 1).fill(0)
    this.#up = metrics.gauge({
      name: 'sluiceway_limits_store_up',
      aggregator: 'min',
      help: '1 while Redis answers, 0 while limits follow their on_store_failure.',
    })
    this.#up.set(1)
    this.#seconds = metrics.histogram({
      name: 'sluiceway_limits_call_seconds',
      help: 'Time of a call of Redis, answered or not.',
      buckets: [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
    })
    this.#failures = metrics.counter({
      name: 'sluiceway_limits_store_failures_total',
      help: 'Calls of Redis that failed or were not answered in time.',
    })
  }

  /** Redis has answered a command. */
  get hasAnswered(): boolean {
    return this.#hasAnswered
  }

  /**
   * The moment after which a command that is sent now is not to be run, in milliseconds on Redis's clock: its sender has
   * decided without it. 0: not known. Nodes of a cluster have clocks of their own.
   */
  get deadline(): number {
    if (this.#aheadMs === undefined || this.#isCluster) return 0
    return Math.ceil(this.#clock.monotonic() + this.#aheadMs + this.#replyTimeoutMs + SPARE_MS)
  }

  /** Milliseconds since the epoch on Redis's clock, as far as it is known. */
  get now(): number {
    return this.#aheadMs === undefined ? this.#clock.now() : Math.round(this.#clock.monotonic() + this.#aheadMs)
  }

  /** Redis has said what time it is on its clock. */
  setTime(redisNow: number): void {
    this.#aheadMs = redisNow - this.#clock.monotonic()
  }

  /** The start is over. What is unavailable now is logged, as what becomes so later. */
  started(): void {
    this.#isStarting = false
    if (this.#unavailable > 0) this.#logUnavailable()
  }

  /** Ends the pause after a failure: there is a new connection. */
  tryNow(): void {
    for (const [group, at] of this.#retryAt.entries()) if (at > 0) this.#retryAt[group] = Number.MIN_VALUE
  }

  /**
   * Runs a script. `hashTag`: the part of all keys in braces. undefined: Redis is unavailable; the script may have run if
   * `onSent` was called. Never rejects.
   */
  run(
    script: Script,
    hashTag: string,
    keys: readonly string[],
    args: readonly (string | number)[],
    onSent?: () => void,
  ): Promise<readonly number[] | undefined> {
    return this.call(hashTag, () => {
      onSent?.()
      return this.#commandOf(script)(keys.length, ...keys, ...args)
    })
  }

  /** Sends one command. undefined: Redis is unavailable. Never rejects. */
  async call<T>(hashTag: string, send: (client: RedisClient) => Promise<T>): Promise<T | undefined> {
    const group = this.#groupOf(hashTag)
    const retryAt = this.#retryAt[group]!
    if (retryAt > 0) {
      const now = this.#clock.monotonic()
      if (now < retryAt) return undefined
      this.#retryAt[group] = now + RETRY_MS
    }
    const sentAt = this.#clock.monotonic()
    try {
      const reply = await withinListening(this.#replyTimeoutMs, 'no answer in time', send(this.#client))
      if (this.#retryAt[group]! > 0) this.#onAvailable(group)
      this.#hasAnswered = true
      return reply
    } catch (error) {
      const problem = (error as Error).message
      if (SCRIPT_ERROR.test(problem)) this.#onScriptError(group, problem)
      else this.#onFailure(group, problem)
      return undefined
    } finally {
      this.#seconds.observe((this.#clock.monotonic() - sentAt) / 1000)
    }
  }

  /** Explains later failures. undefined: the connection is established. */
  setConnectionProblem(problem: NodeJS.ErrnoException | undefined): void {
    // If several addresses were tried, Node's error has a code and no message.
    this.#connectionProblem = problem?.message || problem?.code
  }

  /** Closes the connection after all commands sent so far. */
  async close(): Promise<void> {
    await within(this.#replyTimeoutMs, 'no answer in time', this.#client.quit()).catch(() => {})
    this.#client.disconnect()
  }

  /** ioredis sends the text of a script once per connection and its hash afterwards, and the text again if it is lost. */
  #commandOf(script: Script): ScriptCommand {
    let command = this.#commands.get(script)
    if (command === undefined) {
      this.#client.defineCommand(script.name, { lua: script.lua })
      // defineCommand() has added this method.
      const method = Reflect.get(this.#client, script.name) as ScriptCommand
      command = method.bind(this.#client)
      this.#commands.set(script, command)
    }
    return command
  }

  /** Redis is available: it has replied, although with an error. */
  #onScriptError(group: number, problem: string): void {
    if (this.#retryAt[group]! > 0) this.#onAvailable(group)
    this.#failures.inc()
    const now = this.#clock.monotonic()
    if (now < this.#logAgainAt) return
    this.#logAgainAt = now + LOG_EVERY_MS
    this.#log.error({ problem }, 'Redis rejects a limits script')
  }

  #onAvailable(group: number): void {
    this.#retryAt[group] = 0
    if (--this.#unavailable > 0) return
    this.#up.set(1)
    if (!this.#isStarting) this.#log.info('Redis answers again: limits are shared')
    this.#onAgain(this.#clock.monotonic() - this.#awaySince)
  }

  /** Logs the message only, because an error of ioredis contains the command with its arguments. */
  #onFailure(group: number, problem: string): void {
    this.#failures.inc()
    if (this.#retryAt[group] === 0 && this.#unavailable++ === 0) {
      this.#up.set(0)
      this.#awaySince = this.#clock.monotonic()
      this.#lastProblem = problem
      if (!this.#isStarting) this.#logUnavailable()
    }
    this.#retryAt[group] = this.#clock.monotonic() + RETRY_MS
  }

  #logUnavailable(): void {
    this.#log.error(
      { problem: this.#connectionProblem ?? this.#lastProblem },
      'Redis does not answer: limits follow their on_store_failure',
    )
  }

  #groupOf(hashTag: string): number {
    if (this.#retryAt.length === 1) return 0
    let hash = 0
    for (let i = 0; i < hashTag.length; i++) hash = (hash * 31 + hashTag.charCodeAt(i)) | 0
    return (hash >>> 0) % this.#retryAt.length
  }
}
