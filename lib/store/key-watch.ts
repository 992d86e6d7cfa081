import type { Logger } from 'pino'
import { type Account, configuredKeys, type KeyRing, toAccount } from '../accounts/keys.ts'
import type { Config } from '../config/config.ts'
import { loadAccounts } from './accounts.ts'
import { keyChanges, loadKeys, type ValidKey, withAccounts } from './keys.ts'
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
 * Keeps the ring up to date with the store, so that a key is valid or revoked within seconds everywhere. While the
 * store is away the keys stay as they were last known: its failure makes no key invalid
 * (docs/DESIGN.md#infrastructure-failures).
 */
export class KeyWatch {
  readonly #options: KeyWatchOptions
  readonly #everyMs: number
  #stored: { readonly keys: readonly ValidKey[]; readonly accounts: readonly Account[] } = { keys: [], accounts: [] }
  /** The counter of changes at which that was read. */
  #seen: number | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #failing = false
  #closed = false

  constructor(options: KeyWatchOptions) {
    this.#options = options
    this.#everyMs = options.everyMs ?? 2000
  }

  /** Resolves when the keys have been read once, or could not be. */
  start(): Promise<void> {
    this.#running = this.#round()
    return this.#running
  }

  /** Puts all keys into the ring. To be called when config() gives another one: it counts at once, store or no store. */
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

  async #round(): Promise<void> {
    try {
      await this.#read()
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
