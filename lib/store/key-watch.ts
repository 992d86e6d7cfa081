import type { Logger } from 'pino'
import { type Account, configuredKeys, type KeyRing, toAccount } from '../accounts/keys.ts'
import type { Config } from '../config/config.ts'
import { loadAccounts } from './accounts.ts'
import { keyChanges, loadKeys, type ValidKey, withAccounts } from './keys.ts'
import type { Store } from './store.ts'

export interface KeyWatchOptions {
  readonly store: Store
  readonly ring: KeyRing
  /** The current configuration. Its accounts and keys override those of the store. */
  config(): Config
  readonly log: Logger
  readonly everyMs?: number
}

/**
 * Keeps the key ring up to date with the store, so that new and revoked keys take effect within seconds everywhere. While
 * the store is unavailable the last known keys stay valid: its failure makes no key invalid
 * (docs/DESIGN.md#infrastructure-failures).
 */
export class KeyWatch {
  readonly #options: KeyWatchOptions
  readonly #everyMs: number
  #stored: { readonly keys: readonly ValidKey[]; readonly accounts: readonly Account[] } = { keys: [], accounts: [] }
  /** Value of the change counter when they were read. */
  #seen: number | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #failing = false
  #closed = false

  constructor(options: KeyWatchOptions) {
    this.#options = options
    this.#everyMs = options.everyMs ?? 2000
  }

  /** Starts polling. Resolves after the first attempt to read the keys. */
  start(): Promise<void> {
    this.#running = this.#poll()
    return this.#running
  }

  /** Updates the ring. Must be called after a change of config(); does not access the store. */
  apply(): void {
    const config = this.#options.config()
    const accounts = [...this.#stored.accounts, ...config.accounts.map(toAccount)]
    this.#options.ring.replace([...withAccounts(this.#stored.keys, accounts), ...configuredKeys(config)])
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#running
  }

  async #poll(): Promise<void> {
    try {
      await this.#read()
      this.#failing = false
    } catch (err) {
      if (!this.#failing)
        this.#options.log.warn({ err }, 'keys of the store cannot be read: the last known ones stay valid')
      this.#failing = true
    }
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      this.#running = this.#poll()
    }, this.#everyMs)
    this.#timer.unref()
  }

  async #read(): Promise<void> {
    const { store } = this.#options
    await store.prepare()
    const counter = await keyChanges(store)
    if (counter === this.#seen) return
    this.#stored = { keys: await loadKeys(store), accounts: await loadAccounts(store) }
    this.#seen = counter
    this.apply()
  }
}
