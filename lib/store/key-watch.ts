import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Account, configuredKeys, type KeyRing, toAccount } from '../accounts/access.ts'
import { within } from '../base/timeout.ts'
import type { Config } from '../config/config.ts'
import { loadAccounts } from './accounts.ts'
import { keyChanges, loadKeys, type ValidKey, withAccounts } from './keys.ts'
import type { Store } from './store.ts'

/** A change takes effect within a second everywhere: it is looked for this often. */
const EVERY_MS = 500
/** Shortest time between two looks that unknown keys cause, however many come. */
const LOOK_MS = 50
/** How long an unknown key waits for the store. */
const WAIT_MS = 1000

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
  /** The look that unknown keys wait for and that has not begun; each asks the store after the key has come. */
  #next: Promise<void> | undefined
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(options: KeyWatchOptions) {
    this.#options = options
    this.#everyMs = options.everyMs ?? EVERY_MS
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

  /**
   * Looks for changes now. All calls of a moment share one look, whose single row costs the store the same for one unknown key
   * as for a thousand. Never rejects; resolves after a while if the store does not answer.
   */
  look(): Promise<void> {
    this.#next ??= this.#lookSoon()
    return within(WAIT_MS, 'the store does not answer', this.#next).catch(() => {})
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#running
    await this.#next
  }

  async #lookSoon(): Promise<void> {
    const wait = this.#lookedAt + LOOK_MS - performance.now()
    if (wait > 0) await sleep(wait)
    await this.#running
    if (this.#closed) return
    this.#lookedAt = performance.now()
    this.#next = undefined
    this.#running = this.#try()
    await this.#running
  }

  async #poll(): Promise<void> {
    await this.#try()
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      this.#running = this.#running.then(() => this.#poll())
    }, this.#everyMs)
    this.#timer.unref()
  }

  async #try(): Promise<void> {
    try {
      await this.#read()
      this.#failing = false
    } catch (err) {
      if (!this.#failing)
        this.#options.log.warn({ err }, 'keys of the store cannot be read: the last known ones stay valid')
      this.#failing = true
    }
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
