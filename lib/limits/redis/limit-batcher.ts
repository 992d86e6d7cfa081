import type { Flushable, LoopWriteQueue } from '../../base/write-queue.ts'
import { NOW, type RedisLink, type Script, script } from './link.ts'

/** The part of one limit in the shared Lua script. */
export interface LimitScript {
  /**
   * Sets `limits.<kind> = { keys, args, decide(key, arg), release_keys, release_args, release(key, arg) }`. `key` and
   * `arg` are the indexes of the limit's first entry in KEYS and ARGV. `id` and `now` are local variables of the
   * script. decide() returns whether the limit allows the request, a function that counts the request, and up to three
   * integers. It must not change any count.
   */
  readonly lua: string
}

/** The keys and arguments that one limit sends to the script. */
interface LimitArguments {
  readonly kind: string
  readonly keys: readonly string[]
  readonly args: readonly (string | number)[]
}

type ReplyValues = readonly [number, number, number]

interface LimitCheck<T> extends LimitArguments {
  /** True: a refusal by this limit refuses the request. False: shadow mode. A refusal is only reported. */
  readonly enforced: boolean
  /** Called with the decision of Redis. If `allowed`, Redis has counted the request. */
  onReply(allowed: boolean, values: ReplyValues): T
  /** Decides in this process while Redis is unavailable. May throw the error that refuses the request. */
  decideLocally(): T
  refuses(state: T): boolean
  /** Uncounts a request that Redis may have counted and this process has not admitted. */
  undo?(): void
}

/** A check and the promise that waits for its result. */
interface PendingCheck extends LimitArguments {
  readonly enforced: boolean
  onReply(allowed: boolean, values: ReplyValues): void
  /** False: the limit refuses. */
  decideLocally(): boolean
  /** Called if another limit refused the request, so that this one counts nothing. */
  skip(): void
  readonly undo: (() => void) | undefined
}

interface PendingRelease extends LimitArguments {
  readonly onLost: (() => void) | undefined
}

/** The items of one request, which one call sends. */
interface Batch<T> {
  readonly account: string
  readonly id: string
  readonly items: T[]
}

/** Integers per check in the reply, which begins with Redis's time: whether it is allowed, and its ReplyValues. */
const STRIDE = 4

/**
 * The script of all limits. A call either decides or releases, for one request. ARGV[3]: deadline of a decision, after
 * which it counts nothing, because its sender no longer waits.
 */
function batchScript(scripts: readonly LimitScript[]): Script {
  return script(
    'sluicewayLimits',
    `${NOW}
local id, limits = ARGV[2], {}
${scripts.map(({ lua }) => lua).join('\n')}
local key, arg = 1, 4
if ARGV[1] == 'release' then
  while ARGV[arg] do
    local limit = limits[ARGV[arg]]
    limit.release(key, arg + 1)
    key, arg = key + limit.release_keys, arg + 1 + limit.release_args
  end
  return { 1 }
end
if ARGV[3] ~= '0' and now > tonumber(ARGV[3]) then return { now } end
local reply, counts = { now }, {}
while ARGV[arg] do
  local limit = limits[ARGV[arg]]
  local allowed, count, one, two, three = limit.decide(key, arg + 2)
  for _, value in ipairs({ allowed and 1 or 0, one or 0, two or 0, three or 0 }) do reply[#reply + 1] = value end
  if allowed then
    counts[#counts + 1] = count
  elseif ARGV[arg + 1] == '1' then
    return reply
  end
  key, arg = key + limit.keys, arg + 2 + limit.args
end
for _, count in ipairs(counts) do count() end
return reply
`,
  )
}

/**
 * Sends the limit checks of a request in a tick to Redis in one call, which decides them in the order in which they
 * were made. If an enforced one refuses, none of them counts anything. The releases at the end of a request share a
 * call, too. It is sent after the records of the tick were written, so that a killed process has charged nothing
 * without a record, and before the last byte of the response and all checks.
 */
export class LimitBatcher implements Flushable {
  readonly #link: RedisLink
  readonly #writes: Pick<LoopWriteQueue, 'addNext'>
  readonly #script: Script
  #checks: Batch<PendingCheck>[] = []
  readonly #checksById = new Map<string, Batch<PendingCheck>>()
  #releases: Batch<PendingRelease>[] = []

  /** `writes`: the queue that contains records and last bytes of responses until the end of the tick. */
  constructor(link: RedisLink, scripts: readonly LimitScript[], writes: Pick<LoopWriteQueue, 'addNext'>) {
    this.#link = link
    this.#writes = writes
    this.#script = batchScript(scripts)
  }

  /** Resolves with undefined if another limit refused the request. Nothing is counted then. */
  check<T>(account: string, id: string, check: LimitCheck<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      const { kind, keys, args, enforced } = check
      const undo = check.undo?.bind(check)
      this.#checksOf(account, id).items.push({
        ...{ kind, keys, args, enforced },
        onReply: (allowed, values) => resolve(check.onReply(allowed, values)),
        decideLocally() {
          try {
            const state = check.decideLocally()
            resolve(state)
            return !check.refuses(state)
          } catch (error) {
            reject(error)
            return false
          }
        },
        skip: () => resolve(undefined),
        undo,
      })
    })
  }

  /** `onLost` is called if the release did not reach Redis. */
  release(account: string, id: string, { kind, keys, args }: LimitArguments, onLost?: () => void): void {
    let batch = this.#releases.at(-1)
    if (batch?.id !== id || batch.account !== account) {
      batch = { account, id, items: [] }
      if (this.#releases.push(batch) === 1) this.#writes.addNext(this)
    }
    batch.items.push({ kind, keys, args, onLost })
  }

  /** Loads the script into Redis, so that the first request does not wait for it. */
  async load(): Promise<void> {
    await this.#link.run(this.#script, 'processes', [], ['release', '', 0])
  }

  onFlush(): void {
    this.#sendReleases()
    this.#sendChecks()
  }

  #checksOf(account: string, id: string): Batch<PendingCheck> {
    const existing = this.#checksById.get(id)
    if (existing?.account === account) return existing
    const batch: Batch<PendingCheck> = { account, id, items: [] }
    this.#checksById.set(id, batch)
    if (this.#checks.push(batch) === 1) this.#writes.addNext(this)
    return batch
  }

  #sendChecks(): void {
    const batches = this.#checks
    this.#checks = []
    this.#checksById.clear()
    for (const batch of batches) void this.#sendCheck(batch)
  }

  async #sendCheck({ account, id, items }: Batch<PendingCheck>): Promise<void> {
    const keys: string[] = []
    const args: (string | number)[] = ['decide', id, this.#link.deadline]
    for (const check of items) {
      keys.push(...check.keys)
      args.push(check.kind, check.enforced ? 1 : 0, ...check.args)
    }
    let isSent = false
    const onSent = () => {
      isSent = true
    }
    let reply = await this.#link.run(this.#script, account, keys, args, onSent)
    if (reply?.length === 1) {
      // Too late according to Redis, although this reply was in time. So the clock of Redis has changed.
      this.#link.setTime(reply[0]!)
      args[2] = 0
      reply = await this.#link.run(this.#script, account, keys, args, onSent)
    }
    if (reply === undefined) return decideLocally(items, isSent)
    this.#link.setTime(reply[0]!)
    deliver(items, reply)
  }

  #sendReleases(): void {
    const batches = this.#releases
    this.#releases = []
    for (const batch of batches) void this.#sendRelease(batch)
  }

  async #sendRelease({ account, id, items }: Batch<PendingRelease>): Promise<void> {
    const keys: string[] = []
    const args: (string | number)[] = ['release', id, 0]
    for (const release of items) {
      keys.push(...release.keys)
      args.push(release.kind, ...release.args)
    }
    const reply = await this.#link.run(this.#script, account, keys, args)
    if (reply === undefined) for (const { onLost } of items) onLost?.()
  }
}

function deliver(checks: readonly PendingCheck[], reply: readonly number[]): void {
  const refused = checks.some(({ enforced }, i) => enforced && reply[1 + i * STRIDE] === 0)
  for (const [i, check] of checks.entries()) {
    const [allowed, one, two, three] = reply.slice(1 + i * STRIDE) as [number?, number?, number?, number?]
    if (allowed === undefined || (refused && allowed === 1)) check.skip()
    else check.onReply(allowed === 1, [one!, two!, three!])
  }
}

/**
 * Decides each check in this process. If one refuses, the request releases at its end what earlier ones have counted.
 * `mayBeCounted`: Redis may have counted the request in all checks.
 */
function decideLocally(checks: readonly PendingCheck[], mayBeCounted: boolean): void {
  let refused = false
  for (const check of checks) {
    if (refused) {
      check.skip()
      if (mayBeCounted) check.undo?.()
      continue
    }
    const allowed = check.decideLocally()
    if (!allowed && mayBeCounted) check.undo?.()
    refused = !allowed && check.enforced
  }
}

/**
 * Time to live of onceKey(), in milliseconds. A script runs twice for one request only if a cluster moves a slot: the
 * client repeats the redirected call at once.
 */
export const REMEMBER_MS = 5000

/** Key that marks a request as counted in the limit `name`. */
export function onceKey(account: string, name: string, id: string): string {
  return `sluiceway:{${account}}:once:${name}:${id}`
}
