import { unwatchFile, watchFile } from 'node:fs'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { ConfigSource } from './source.ts'

export interface ReloadTarget {
  /** Validates the rest and swaps; rejects and changes nothing when it cannot. */
  reload(config: Config): Promise<void>
}

/** Looking once a second costs nothing, and unlike change events works for every editor and every kind of mount. */
const LOOK_EVERY_MS = 1000

/** Time for a slow writer to finish. */
const SETTLE_MS = 200

/**
 * Brings changes of the file into a running gateway: validated first, swapped in one step, refused with a line in the
 * log. One reload at a time; what is asked for meanwhile happens once, afterwards.
 */
export class Reloader {
  readonly #source: ConfigSource
  readonly #target: ReloadTarget
  readonly #log: Logger
  readonly #onChange = (now: { mtimeMs: number; size: number }, before: { mtimeMs: number; size: number }): void => {
    // A file that is gone for a moment is being replaced.
    if (now.mtimeMs === 0 || (now.mtimeMs === before.mtimeMs && now.size === before.size)) return
    clearTimeout(this.#settling)
    this.#settling = setTimeout(() => void this.reload(), SETTLE_MS)
  }
  #settling: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #again = false

  constructor(source: ConfigSource, target: ReloadTarget, log: Logger) {
    this.#source = source
    this.#target = target
    this.#log = log
  }

  watch(intervalMs = LOOK_EVERY_MS): void {
    watchFile(this.#source.file, { persistent: false, interval: intervalMs }, this.#onChange)
  }

  /** Resolves when nothing is left to do. Never rejects. */
  reload(): Promise<void> {
    if (this.#running !== undefined) {
      this.#again = true
      return this.#running
    }
    this.#running = this.#run().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** No further change is looked for; a reload that is running goes on. */
  stop(): void {
    unwatchFile(this.#source.file, this.#onChange)
    clearTimeout(this.#settling)
    this.#again = false
  }

  async #run(): Promise<void> {
    do {
      this.#again = false
      await this.#reloadOnce()
    } while (this.#again)
  }

  async #reloadOnce(): Promise<void> {
    try {
      await this.#target.reload(this.#source.load())
    } catch (error) {
      this.#log.error(
        { file: this.#source.file, problems: problemsOf(error) },
        'configuration refused: the old one stays',
      )
    }
  }
}

/** Those of ConfigError and BootError, or what else went wrong. */
function problemsOf(error: unknown): unknown {
  if (!(error instanceof Error)) return [String(error)]
  return 'problems' in error ? error.problems : [error.message]
}
