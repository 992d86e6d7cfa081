/** Bodies that do not arrive completely: the parser cannot continue, the client is too slow, or the rest is not needed. */
import type { IncomingMessage } from 'node:http'
import { type ListMember, SwapRemoveList } from '../base/swap-remove-list.ts'
import type { GatewayError } from '../errors/errors.ts'

const errors = new WeakMap<IncomingMessage, GatewayError>()
const BROKEN = Symbol('broken')
const ABANDONED = Symbol('abandoned')

/** Ends a body that the HTTP parser cannot continue: Node reports that to the server only. */
export function breakBody(req: IncomingMessage, error: GatewayError): void {
  errors.set(req, error)
  req.emit(BROKEN)
}

/** Why the body cannot be read to its end; undefined as long as it can. */
export function brokenBodyError(req: IncomingMessage): GatewayError | undefined {
  return errors.get(req)
}

/** Calls `then` when the body breaks; returns a function that removes the listener. */
export function onBodyBroken(req: IncomingMessage, then: () => void): () => void {
  req.once(BROKEN, then)
  return () => req.off(BROKEN, then)
}

/** The rest of this body is read and dropped from now on; its reader stops. */
export function abandonBody(req: IncomingMessage): void {
  req.emit(ABANDONED)
}

/** Calls `then` when the rest of the body is no longer needed; returns a function that removes the listener. */
export function onBodyAbandoned(req: IncomingMessage, then: () => void): () => void {
  req.once(ABANDONED, then)
  return () => req.off(ABANDONED, then)
}

/** A body that is being read. */
export interface WatchedUpload {
  /** Bytes so far. */
  readonly received: number
  /** Aborts reading the body. */
  onStalled(): void
}

/** Bytes that have to arrive within each period: 400 bytes a second with the default. */
const MIN_BYTES = 4096

/** Checks of a period. */
const CHECKS = 4

/** Progress of one body. */
interface Progress extends ListMember {
  readonly upload: WatchedUpload
  /** Bytes at the beginning of the period, and the checks since. */
  from: number
  checks: number
}

/**
 * Aborts bodies that hardly progress. Otherwise they would hold memory and one of the places of their account for as long as
 * a whole request may take.
 */
export class SlowUploads {
  readonly #watched = new SwapRemoveList<Progress>()
  #timer: NodeJS.Timeout | undefined

  /** `idleMs`: the period. */
  constructor(idleMs: number) {
    this.update(idleMs)
  }

  update(idleMs: number): void {
    clearInterval(this.#timer)
    if (idleMs === Number.POSITIVE_INFINITY) return
    this.#timer = setInterval(this.#check, Math.max(1, idleMs / CHECKS))
    this.#timer.unref()
  }

  /** Bodies that are being read. */
  get count(): number {
    return this.#watched.size
  }

  /** Returns a function that ends the watch. */
  watch(upload: WatchedUpload): () => void {
    const progress = { upload, from: 0, checks: 0, listIndex: -1 }
    this.#watched.add(progress)
    return () => this.#watched.delete(progress)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  readonly #check = (): void => {
    for (const progress of this.#watched.values()) {
      const { upload } = progress
      if (upload.received - progress.from >= MIN_BYTES) {
        progress.from = upload.received
        progress.checks = 0
      } else if (++progress.checks > CHECKS) upload.onStalled()
    }
  }
}
