import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { configuredKeys, type KeyRing, toAccount } from '../keys.ts'
import { loadAccounts } from './accounts.ts'
import { keyChanges } from './key-changes.ts'
import { loadKeys } from './keys.ts'
import type { Store } from './store.ts'

export interface KeyWatchOptions {
  readonly store: Store
  readonly ring: KeyRing
  /** The configuration in force: its accounts and keys stand beside those of the store, and before them. */
  config(): Config
  readonly log: Logger
  readonly everyMs?: number
}

/**
 * Keeps the ring up to date with the store, so that a key is valid or revoked within seconds everywhere. While the store is
 * away the keys stay as they were last known: its failure makes nobody's key invalid (design.md rule 8).
 */
export class KeyWatch {
  readonly #options: KeyWatchOptions
  readonly #everyMs: number
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #seen: number | undefined
  #failing = false
  #closed = false

  constructor(options: KeyWatchOptions) {
    this.#options = options
    this.#everyMs = options.everyMs ?? 2000
  }

  /** Resolves when the keys have been loaded once, or could not be. */
  start(): Promise<void> {
    this.#running = this.#round()
    return this.#running
  }

  /** Loads everything again now: for a configuration that has changed. Throws when the store is away. */
  async reload(): Promise<void> {
    const { store, ring, config } = this.#options
    await store.prepare()
    const seen = await keyChanges(store)
    const stored = await loadAccounts(store)
    const { accounts } = config()
    ring.replace([...(await loadKeys(store, [...stored, ...accounts.map(toAccount)])), ...configuredKeys(config())])
    this.#seen = seen
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#running
  }

  async #round(): Promise<void> {
    try {
      if (this.#seen === undefined || (await keyChanges(this.#options.store)) !== this.#seen) await this.reload()
      this.#failing = false
    } catch (err) {
      if (!this.#failing) this.#options.log.warn({ err }, 'keys of the store cannot be read: those known stay valid')
      this.#failing = true
    }
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      this.#running = this.#round()
    }, this.#everyMs)
    this.#timer.unref()
  }
}
