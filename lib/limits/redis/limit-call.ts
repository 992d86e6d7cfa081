import { isDeepStrictEqual } from 'node:util'
import { STRIDE } from './limit-script.ts'

/** The keys and arguments that one limit sends to the script. */
export interface LimitArguments {
  readonly kind: string
  readonly keys: readonly string[]
  readonly args: readonly (string | number)[]
}

type ReplyValues = readonly [number, number, number]

export interface LimitCheck<T> extends LimitArguments {
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

export interface Decision {
  readonly op: 'decide'
  readonly account: string
  readonly id: string
  readonly items: PendingCheck[]
}

export interface Release {
  readonly op: 'release'
  readonly account: string
  readonly id: string
  readonly items: PendingRelease[]
}

/** The checks or the releases of one request. */
export type Batch = Decision | Release

/** The keys and arguments of a call for these requests, without its head. See batchScript(). */
export function encoded(batches: readonly Batch[]) {
  const keys: string[] = []
  const args: (string | number)[] = []
  let before: ReturnType<typeof partsOf> | undefined
  for (const { op, id, items } of batches) {
    const parts = partsOf(op, items)
    if (isDeepStrictEqual(parts, before)) {
      args.push('same', id)
    } else {
      args.push(op, id, parts.keys.length, parts.args.length, ...parts.args)
      keys.push(...parts.keys)
      before = parts
    }
  }
  return { keys, args }
}

function partsOf(op: Batch['op'], items: Batch['items']) {
  const args = items.flatMap(item => [item.kind, ...('enforced' in item ? [item.enforced ? 1 : 0] : []), ...item.args])
  return { op, keys: items.flatMap(({ keys }) => keys), args }
}

/** Redis has not done this. `mayBeCounted`: or it has, and its reply is unknown. */
export function fail(batch: Batch, mayBeCounted: boolean): void {
  if (batch.op === 'decide') decideLocally(batch.items, mayBeCounted)
  else for (const { onLost } of batch.items) onLost?.()
}

/** `values`: STRIDE integers for each check that Redis has decided. */
export function deliver(checks: readonly PendingCheck[], values: readonly number[]): void {
  const refused = checks.some(({ enforced }, i) => enforced && values[i * STRIDE] === 0)
  for (const [i, check] of checks.entries()) {
    const [allowed, one, two, three] = values.slice(i * STRIDE) as [number?, number?, number?, number?]
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
