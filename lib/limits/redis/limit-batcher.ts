import type { Flushable, LoopWriteQueue } from '../../base/write-queue.ts'
import {
  type Batch,
  type Decision,
  deliver,
  encoded,
  fail,
  type LimitArguments,
  type LimitCheck,
  type Release,
} from './limit-call.ts'
import { batchScript, FAILED, LATE, type LimitScript, STRIDE } from './limit-script.ts'
import type { RedisLink, Script } from './link.ts'

/** Requests per call. A script blocks Redis while it runs: about 10 µs per request. */
const MAX_REQUESTS = 64

/**
 * Sends to Redis what this process asks within one turn of its event loop: one call, or one per account in a cluster.
 * One run of the script decides all checks of a request, in the order in which they were made. If an enforced one
 * refuses, none of them counts anything.
 *
 * The call is sent after the records of the turn were written, so that a killed process has charged nothing in Redis
 * without a record, and before the last byte of responses. Releases precede checks.
 */
export class LimitBatcher implements Flushable {
  readonly #link: RedisLink
  readonly #writes: Pick<LoopWriteQueue, 'addNext'>
  readonly #script: Script
  #decisions: Decision[] = []
  readonly #decisionsById = new Map<string, Decision>()
  #releases: Release[] = []

  /** `writes`: the queue that contains records and last bytes of responses until the end of the turn. */
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
      this.#decisionOf(account, id).items.push({
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
    let release = this.#releases.at(-1)
    if (release?.id !== id || release.account !== account) {
      release = { op: 'release', account, id, items: [] }
      if (this.#releases.push(release) === 1) this.#writes.addNext(this)
    }
    release.items.push({ kind, keys, args, onLost })
  }

  /** Loads the script into Redis, so that the first request does not wait for it. */
  async load(): Promise<void> {
    await this.#link.run(this.#script, 'processes', [], [0, 0])
  }

  /** Sends what was asked in this turn. */
  onFlush(): void {
    const batches = [...byAccount(this.#releases), ...byAccount(this.#decisions)]
    this.#releases = []
    this.#decisions = []
    this.#decisionsById.clear()
    // In a cluster, the keys of a call must be at one node.
    const groups = this.#link.isCluster ? Map.groupBy(batches, accountOf).values() : [batches]
    for (const group of groups) {
      for (let at = 0; at < group.length; at += MAX_REQUESTS)
        void this.#send(group.slice(at, at + MAX_REQUESTS), this.#link.deadline)
    }
  }

  #decisionOf(account: string, id: string): Decision {
    const existing = this.#decisionsById.get(id)
    if (existing?.account === account) return existing
    const decision: Decision = { op: 'decide', account, id, items: [] }
    this.#decisionsById.set(id, decision)
    if (this.#decisions.push(decision) === 1) this.#writes.addNext(this)
    return decision
  }

  async #send(batches: readonly Batch[], deadline: number): Promise<void> {
    const { keys, args } = encoded(batches)
    const head = [deadline, this.#link.isCluster ? 1 : 0]
    let isSent = false
    const onSent = () => {
      isSent = true
    }
    const reply = await this.#link.run(this.#script, batches[0]!.account, keys, [...head, ...args], onSent)
    if (reply === undefined) {
      for (const batch of batches) fail(batch, isSent)
      return
    }
    this.#link.setTime(Number(reply[0]))
    const late: Batch[] = []
    let at = 1
    for (const batch of batches) {
      const count = Number(reply[at++])
      if (count === LATE) {
        late.push(batch)
      } else if (count === FAILED) {
        this.#link.reportScriptError(String(reply[at++]))
        fail(batch, true)
      } else {
        const end = at + count * STRIDE
        if (batch.op === 'decide') deliver(batch.items, reply.slice(at, end).map(Number))
        at = end
      }
    }
    for (const problem of reply.slice(at)) this.#link.reportScriptError(String(problem))
    // Too late according to Redis, although this reply was in time. So the clock of Redis has changed.
    if (late.length > 0) await this.#send(late, 0)
  }
}

const accountOf = ({ account }: Batch) => account

/** Requests of one account are often the same, so they follow each other. */
function byAccount<T extends Batch>(batches: readonly T[]): T[] {
  return [...Map.groupBy(batches, accountOf).values()].flat()
}
