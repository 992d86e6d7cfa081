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
 * Brings changes of the file, and of the certificate that it names, into a running gateway: validated first, swapped in one
 * step, refused with a line in the log. One reload at a time; what is asked for meanwhile happens once, afterwards.
 */
export class Reloader {
  readonly #source: Pick<ConfigSource, 'file' | 'load'>
  readonly #target: ReloadTarget
  readonly #log: Logger
  readonly #onChange = (now: { mtimeMs: number; size: number }, before: { mtimeMs: number; size: number }): void => {
    // A file that is gone for a moment is being replaced.
    if (now.mtimeMs === 0 || (now.mtimeMs === before.mtimeMs && now.size === before.size)) return
    clearTimeout(this.#settling)
    this.#settling = setTimeout(() => void this.reload(), SETTLE_MS)
  }
  #intervalMs: number | undefined
  #watched: readonly string[] = []
  #settling: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #again = false

  constructor(source: Pick<ConfigSource, 'file' | 'load'>, target: ReloadTarget, log: Logger) {
    this.#source = source
    this.#target = target
    this.#log = log
  }

  /** From now on a change is noticed. `config` is what runs. */
  watch(config: Config, intervalMs = LOOK_EVERY_MS): void {
    this.#intervalMs = intervalMs
    this.#follow(config)
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
    for (const file of this.#watched) unwatchFile(file, this.#onChange)
    this.#intervalMs = undefined
    clearTimeout(this.#settling)
    this.#again = false
  }

  /** Watches the files of this configuration, and no others. */
  #follow({ listen: { tls } }: Config): void {
    if (this.#intervalMs === undefined) return
    const files = [this.#source.file, ...(tls === undefined ? [] : [tls.cert, tls.key])]
    for (const file of this.#watched) if (!files.includes(file)) unwatchFile(file, this.#onChange)
    for (const file of files) {
      if (this.#watched.includes(file)) continue
      watchFile(file, { persistent: false, interval: this.#intervalMs }, this.#onChange)
    }
    this.#watched = files
  }

  async #run(): Promise<void> {
    do {
      this.#again = false
      await this.#reloadOnce()
    } while (this.#again)
  }

  async #reloadOnce(): Promise<void> {
    try {
      const config = this.#source.load()
      await this.#target.reload(config)
      this.#follow(config)
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
