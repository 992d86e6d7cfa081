import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.ts'
import type { Metrics } from '../../base/metrics.ts'
import { within, withinListening } from '../../base/timeout.ts'
import type { RedisClient } from './client.ts'

/** A Lua script that replies with a list of integers and texts. */
export interface Script {
  /** The name of the command that ioredis defines for it; must not be one of Redis's own. */
  readonly name: string
  readonly lua: string
}

export function script(name: string, lua: string): Script {
  return { name, lua }
}

type ScriptCommand = (
  keyCount: number,
  ...keysAndArgs: readonly (string | number)[]
) => Promise<readonly (number | string)[]>

/** Lua that sets `now` to the server's time in milliseconds. All processes use this clock. */
export const NOW = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
`

interface LinkOptions {
  readonly client: RedisClient
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  /** In a cluster, one node may be unavailable while others answer. */
  readonly isCluster: boolean
  /** A command fails without a reply after this time, not counting time in which this process was too busy to read. */
  readonly replyTimeoutMs: number
  /** Called when Redis answers again, `unavailableMs` milliseconds after the first failure. */
  readonly onRecovered?: (unavailableMs: number) => void
}

/** Tolerance for the drift of two clocks and the latency of a command. */
const SPARE_MS = 100
/** Pause before one request tries to reach Redis again. Until it succeeds, the others are decided locally. */
const RETRY_MS = 500
/** An error reply of Redis, in contrast to an error of the connection. */
const ANSWER = /^[A-Z]{2,} /
/** Errors of one script or its keys, while the server itself works. */
const SCRIPT_ERROR = /^(ERR|WRONGTYPE) /
/** Interval in which at most one script error is logged. */
const LOG_EVERY_MS = 10_000
/** Number of groups of accounts whose availability is tracked in a cluster. */
const GROUPS = 64

/** Runs scripts while Redis answers. After a failure, no request waits for Redis until it has answered again. */
export class RedisLink {
  readonly #options: LinkOptions
  readonly #clock: Clock
  readonly #commands = new Map<Script, ScriptCommand>()
  readonly #failures: ReturnType<Metrics['counter']>
  readonly #up: ReturnType<Metrics['gauge']>
  readonly #seconds: ReturnType<Metrics['histogram']>
  /** Lower bound of Redis's clock minus this process's monotonic clock, in milliseconds. undefined: unknown. */
  #aheadMs: number | undefined
  #hasAnswered = false
  /** Per group: 0 while Redis answers, else the time of the next attempt (monotonic milliseconds). */
  readonly #retryAt: number[]
  /** The error of the connection; undefined while there is a connection. */
  #connectionProblem: string | undefined
  /** Number of groups for which Redis does not answer. */
  #unavailable = 0
  /** Failures during the start are not logged, because a busy process may read replies late. */
  #isStarting = true
  #lastProblem: string | undefined = undefined
  #loggedProblem: string | undefined = undefined
  /** Time of the first failure (monotonic milliseconds). */
  #unavailableSince = 0
  #logAgainAt = 0

  constructor(options: LinkOptions) {
    const { clock, metrics, isCluster } = options
    this.#options = options
    this.#clock = clock
    this.#retryAt = new Array<number>(isCluster ? GROUPS : 1).fill(0)
    this.#up = metrics.gauge({
      name: 'sluiceway_limits_store_up',
      aggregator: 'min',
      help: '1 while Redis answers, 0 while limits follow their on_store_failure.',
    })
    this.#up.set(1)
    this.#seconds = metrics.histogram({
      name: 'sluiceway_limits_call_seconds',
      help: 'Duration of a call of Redis, answered or not.',
      buckets: [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
    })
    this.#failures = metrics.counter({
      name: 'sluiceway_limits_store_failures_total',
      help: 'Calls of Redis that failed or were not answered in time.',
    })
  }

  get isCluster(): boolean {
    return this.#options.isCluster
  }

  /** Whether Redis has answered a command since the start. */
  get hasAnswered(): boolean {
    return this.#hasAnswered
  }

  /**
   * Deadline for a command that is sent now, in milliseconds on Redis's clock. Later, its sender has decided without
   * Redis. 0: unknown, as in a cluster, whose nodes have different clocks.
   */
  get deadline(): number {
    if (this.#aheadMs === undefined || this.#options.isCluster) return 0
    return Math.ceil(this.#clock.monotonic() + this.#aheadMs + this.#options.replyTimeoutMs + SPARE_MS)
  }

  /** Milliseconds since the epoch on Redis's clock, or on this process's clock if the former is unknown. */
  get now(): number {
    return this.#aheadMs === undefined ? this.#clock.now() : Math.round(this.#clock.monotonic() + this.#aheadMs)
  }

  /** `redisNow`: time in a reply of Redis. */
  setTime(redisNow: number): void {
    this.#aheadMs = redisNow - this.#clock.monotonic()
  }

  /** Ends the start. From now on an unavailable Redis is logged. */
  started(): void {
    this.#isStarting = false
    if (this.#unavailable > 0) this.#logUnavailable()
  }

  /** Ends the pause after a failure, because there is a new connection. */
  retryNow(): void {
    for (const [group, at] of this.#retryAt.entries()) if (at > 0) this.#retryAt[group] = Number.MIN_VALUE
  }

  /**
   * Runs a script. `hashTag`: the part of all keys in braces. Never rejects. undefined: Redis is unavailable; the
   * script may have run if `onSent` was called.
   */
  run(
    script: Script,
    hashTag: string,
    keys: readonly string[],
    args: readonly (string | number)[],
    onSent?: () => void,
  ): Promise<readonly (number | string)[] | undefined> {
    return this.call(hashTag, () => {
      onSent?.()
      return this.#commandOf(script)(keys.length, ...keys, ...args)
    })
  }

  /** Sends one command. Resolves with undefined if Redis is unavailable. Never rejects. */
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
      const reply = await withinListening(this.#options.replyTimeoutMs, 'no answer in time', send(this.#options.client))
      if (this.#retryAt[group]! > 0) this.#onAvailable(group)
      this.#hasAnswered = true
      return reply
    } catch (error) {
      const problem = (error as Error).message
      if (SCRIPT_ERROR.test(problem)) {
        // An error reply shows that Redis is available.
        if (this.#retryAt[group]! > 0) this.#onAvailable(group)
        this.reportScriptError(problem)
      } else {
        this.#onFailure(group, problem)
      }
      return undefined
    } finally {
      this.#seconds.observe((this.#clock.monotonic() - sentAt) / 1000)
    }
  }

  /** Sets the problem that the log names for later failures. undefined: the connection is established. */
  setConnectionProblem(problem: string | undefined): void {
    this.#connectionProblem = problem
    // The first failure only says that there is no connection. Redis itself may say more, such as WRONGPASS.
    if (problem === undefined || !ANSWER.test(problem) || problem === this.#loggedProblem) return
    if (this.#unavailable > 0 && !this.#isStarting) this.#logUnavailable()
  }

  /** Closes the connection after all commands that were sent. */
  async close(): Promise<void> {
    await within(this.#options.replyTimeoutMs, 'no answer in time', this.#options.client.quit()).catch(() => {})
    this.#options.client.disconnect()
  }

  /** ioredis sends the text of a script once per connection or if Redis has lost it, otherwise its hash. */
  #commandOf(script: Script): ScriptCommand {
    let command = this.#commands.get(script)
    if (command === undefined) {
      this.#options.client.defineCommand(script.name, { lua: script.lua })
      // defineCommand() has added this method.
      const method = Reflect.get(this.#options.client, script.name) as ScriptCommand
      command = method.bind(this.#options.client)
      this.#commands.set(script, command)
    }
    return command
  }

  /** A script has failed for one request, while others in the same call may have succeeded. */
  reportScriptError(problem: string): void {
    this.#failures.inc()
    const now = this.#clock.monotonic()
    if (now < this.#logAgainAt) return
    this.#logAgainAt = now + LOG_EVERY_MS
    this.#options.log.error({ problem }, 'Redis rejects a limits script')
  }

  #onAvailable(group: number): void {
    this.#retryAt[group] = 0
    if (--this.#unavailable > 0) return
    this.#up.set(1)
    if (!this.#isStarting) this.#options.log.info('Redis answers again: limits are shared')
    this.#options.onRecovered?.(this.#clock.monotonic() - this.#unavailableSince)
  }

  /** `problem`: the message alone, because an error of ioredis contains the arguments of the command. */
  #onFailure(group: number, problem: string): void {
    this.#failures.inc()
    if (this.#retryAt[group] === 0 && this.#unavailable++ === 0) {
      this.#up.set(0)
      this.#unavailableSince = this.#clock.monotonic()
      this.#lastProblem = problem
      if (!this.#isStarting) this.#logUnavailable()
    }
    this.#retryAt[group] = this.#clock.monotonic() + RETRY_MS
  }

  #logUnavailable(): void {
    const problem = this.#connectionProblem ?? this.#lastProblem
    this.#loggedProblem = problem
    this.#options.log.error({ problem }, 'Redis does not answer: limits follow their on_store_failure')
  }

  #groupOf(hashTag: string): number {
    if (this.#retryAt.length === 1) return 0
    let hash = 0
    for (let i = 0; i < hashTag.length; i++) hash = (hash * 31 + hashTag.charCodeAt(i)) | 0
    return (hash >>> 0) % this.#retryAt.length
  }
}
