import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Account, configuredKeys, type Key, type KeyRing, toAccount } from '../accounts/access.ts'
import { within } from '../base/timeout.ts'
import type { Config } from '../config/config.ts'
import { failure } from '../errors/errors.ts'
import { loadAccounts } from './accounts.ts'
import { keyChanges } from './key-changes.ts'
import { loadKeys, noteKeyUse, type ValidKey } from './keys.ts'
import type { Store } from './store.ts'

/** Polling interval, so that a change is effective in every process within a second. */
const POLL_MS = 500
/** Minimum time between two refreshes that unknown keys cause. */
const MIN_REFRESH_MS = 50
/** Time that an unknown key waits for the store. */
const WAIT_MS = 1000
const RETRY_AFTER = '2'
/** Interval of writing when keys were last used. */
const WRITE_USE_MS = 60_000

interface KeyWatchOptions {
  readonly store: Store
  readonly ring: KeyRing
  /** The current configuration. Its accounts and keys replace those of the store. */
  config(): Config
  readonly log: Logger
  /** Called after each change with the ids of erased accounts that the configuration does not have. */
  readonly onErased?: (accounts: ReadonlySet<string>) => void
  readonly everyMs?: number
}

/**
 * Updates the key ring from the store, so that changes are effective in every process within seconds.
 * While the store is unavailable, the last known keys stay valid, and unknown ones are refused with 503
 * (docs/DESIGN.md#infrastructure-failures).
 */
export class KeyWatch {
  readonly #options: KeyWatchOptions
  #stored: { readonly keys: readonly ValidKey[]; readonly accounts: readonly Account[] } = { keys: [], accounts: [] }
  /** Value of the change counter at the last read. */
  #counter: number | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #isFailing = false
  #isClosed = false
  /** The next refresh that has not started yet. Unknown keys that arrive before its start share it. */
  #next: Promise<void> | undefined
  #refreshedAt = Number.NEGATIVE_INFINITY

  constructor(options: KeyWatchOptions) {
    this.#options = options
  }

  /** Starts polling. Resolves after the first attempt to read the keys. */
  start(): Promise<void> {
    this.#running = this.#poll()
    return this.#running
  }

  /** Updates the ring without reading the store. To be called after a change of config(). */
  apply(): void {
    const config = this.#options.config()
    const accounts = [...this.#stored.accounts, ...config.accounts.map(toAccount)]
    this.#options.ring.replace([...withAccounts(this.#stored.keys, accounts), ...configuredKeys(config)])
  }

  /** Reads changes now. Concurrent calls share one read. Rejects with 503 if the store does not answer in time. */
  async refresh(): Promise<void> {
    this.#next ??= this.#refreshSoon()
    const isInTime = await within(WAIT_MS, 'the store does not answer', this.#next).then(
      () => true,
      () => false,
    )
    if (isInTime && !this.#isFailing) return
    const message = 'The store cannot be asked whether this API key is valid: send the request again.'
    throw failure('internal_error', {}, { status: 503, headers: { 'retry-after': RETRY_AFTER }, message })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#running
    await this.#next
  }

  async #refreshSoon(): Promise<void> {
    const wait = this.#refreshedAt + MIN_REFRESH_MS - performance.now()
    if (wait > 0) await sleep(wait)
    await this.#running
    if (this.#isClosed) return
    this.#refreshedAt = performance.now()
    this.#next = undefined
    this.#running = this.#try()
    await this.#running
  }

  async #poll(): Promise<void> {
    await this.#try()
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#running = this.#running.then(() => this.#poll())
    }, this.#options.everyMs ?? POLL_MS)
    this.#timer.unref()
  }

  async #try(): Promise<void> {
    try {
      await this.#read()
      this.#isFailing = false
    } catch (err) {
      if (!this.#isFailing)
        this.#options.log.warn({ err }, 'keys of the store cannot be read: the last known ones stay valid')
      this.#isFailing = true
    }
  }

  async #read(): Promise<void> {
    const { store } = this.#options
    await store.prepare()
    const counter = await keyChanges(store)
    if (counter === this.#counter) return
    this.#stored = { keys: await loadKeys(store), accounts: await loadAccounts(store) }
    this.#counter = counter
    this.apply()
    const configured = new Set(this.#options.config().accounts.map(({ id }) => id))
    const erased = this.#stored.accounts.filter(({ id, erasedAt }) => erasedAt !== undefined && !configured.has(id))
    if (erased.length > 0) this.#options.onErased?.(new Set(erased.map(({ id }) => id)))
  }
}

/** Entries of the key ring, without keys of unknown accounts. Of two accounts with the same id, the later one wins. */
export function* withAccounts(
  keys: Iterable<ValidKey>,
  accounts: Iterable<Account>,
): Generator<readonly [string, Key]> {
  const byId = new Map<string, Account>()
  for (const account of accounts) byId.set(account.id, account)
  for (const { sha256: digest, account_id, ...key } of keys) {
    const account = byId.get(account_id)
    if (account !== undefined) yield [digest, { ...key, account }]
  }
}

interface KeyUseOptions {
  readonly store: Store
  readonly ring: KeyRing
  readonly log: Logger
  readonly everyMs?: number
}

/**
 * Writes in the background when keys were last used. A failed write is not repeated: the next use replaces it.
 * Returns a function that writes the rest and stops.
 */
export function keepKeyUse({ store, ring, log, everyMs = WRITE_USE_MS }: KeyUseOptions): () => Promise<void> {
  let running: Promise<void> | undefined
  const write = async () => {
    const uses = ring.takeUses()
    if (uses.size === 0) return
    try {
      await store.prepare()
      await noteKeyUse(store, uses)
    } catch (err) {
      log.warn({ err }, 'the last use of keys could not be written')
    }
  }
  const timer = setInterval(() => {
    running ??= write().finally(() => {
      running = undefined
    })
  }, everyMs).unref()
  return async () => {
    clearInterval(timer)
    await running
    await write()
  }
}
