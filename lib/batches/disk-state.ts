import type { Logger } from 'pino'
import { isDiskFull } from '../files/in-time.ts'

/** Whether results can be written. No line is sent while those of a batch cannot. */
export class DiskState {
  readonly #log: Pick<Logger, 'error' | 'info'>
  /** Batches whose results cannot be written, and whether the disk is full. */
  readonly #failing = new Map<string, boolean>()

  constructor(log: Pick<Logger, 'error' | 'info'>) {
    this.#log = log
  }

  /** null: results can be written. */
  get paused(): 'disk_full' | 'disk_error' | null {
    if (this.#failing.size === 0) return null
    return [...this.#failing.values()].includes(true) ? 'disk_full' : 'disk_error'
  }

  failed(batch: string, err: unknown): void {
    if (this.#failing.size === 0)
      this.#log.error({ err }, 'results of batches cannot be written: no line is sent until they can')
    this.#failing.set(batch, isDiskFull(err))
  }

  written(batch: string): void {
    if (this.#failing.delete(batch) && this.#failing.size === 0)
      this.#log.info('results of batches can be written again')
  }

  /** Forgets batches that another process has ended. */
  keep(open: readonly string[]): void {
    for (const batch of this.#failing.keys()) if (!open.includes(batch)) this.written(batch)
  }
}
