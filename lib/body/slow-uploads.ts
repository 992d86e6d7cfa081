import { type ListMember, SwapRemoveList } from '../base/swap-remove-list.ts'

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
