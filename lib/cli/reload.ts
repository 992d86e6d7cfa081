import { unwatchFile, watchFile } from 'node:fs'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { describe, type Problem } from '../config/problems.ts'
import type { ConfigSource } from './source.ts'

interface ReloadTarget {
  /** Validates and applies the configuration. Rejects, and then changes nothing, if the configuration is invalid. */
  reload(config: Config): Promise<void>
  /** Records how an attempt has ended. `problems`: sentences; empty: the configuration was applied. */
  reloaded(problems: readonly string[]): void
}

/** The file is polled: unlike change events, this works with every editor and every kind of mount. */
const POLL_MS = 1000

/** How long the file must stay unchanged before it is read. */
const SETTLE_MS = 200

/**
 * Reloads the gateway when its file, or a certificate that it names, changes. An invalid file is only logged.
 * One reload runs at a time; calls of reload() in the meantime cause one more afterwards.
 */
export class Reloader {
  readonly #source: Pick<ConfigSource, 'file' | 'load'>
  readonly #target: ReloadTarget
  readonly #log: Logger
  readonly #onChange = (now: { mtimeMs: number; size: number }, before: { mtimeMs: number; size: number }): void => {
    // A missing file is being replaced: its next version is noticed.
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

  watch(config: Config, intervalMs = POLL_MS): void {
    this.#intervalMs = intervalMs
    this.#follow(config)
  }

  /** Resolves when no reload is running or waiting. Never rejects. */
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

  stop(): void {
    for (const file of this.#watched) unwatchFile(file, this.#onChange)
    this.#intervalMs = undefined
    clearTimeout(this.#settling)
    this.#again = false
  }

  /** Watches the files of this configuration, and no others. */
  #follow({ tlsFiles }: Config): void {
    if (this.#intervalMs === undefined) return
    const files = [this.#source.file, ...tlsFiles]
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
      this.#target.reloaded([])
    } catch (error) {
      const problems = problemsOf(error)
      this.#target.reloaded(problems.map(problem => (typeof problem === 'string' ? problem : describe(problem))))
      this.#log.error({ file: this.#source.file, problems }, 'configuration rejected: the running one stays in force')
    }
  }
}

/** The problems of a ConfigError or BootError, or the message of another error. */
function problemsOf(error: unknown): readonly (string | Problem)[] {
  if (!(error instanceof Error)) return [String(error)]
  return 'problems' in error ? (error.problems as readonly (string | Problem)[]) : [error.message]
}
