/**
 * Finds the conditions that an alert is due for. Accounts are gone through in slices, for a while in each look and from where
 * the last one has ended: a look costs the same with ten accounts or a million, which then wait longer for their turn. Of those in the
 * store, it names the few that may matter.
 */
import type { Logger } from 'pino'
import { type Account, toAccount } from '../accounts/access.ts'
import type { Config } from '../config/config.ts'
import { findAccounts } from '../store/accounts.ts'
import { expireAlerts, forgetAlerts, keepAlerts, type NewAlert, raiseAlerts, raisedAlerts } from '../store/alerts.ts'
import { creditTotals } from '../store/credits.ts'
import { alertCandidates } from '../store/queries/alert-candidates.ts'
import { requestCounts } from '../store/queries/request-counts.ts'
import type { Store } from '../store/store.ts'
import {
  type AlertsConfig,
  accountOfAlert,
  candidateFilter,
  downBackends,
  lowCredits,
  quotaWindow,
  usedQuota,
} from './conditions.ts'
import type { DownSince } from './down.ts'

export interface FinderOptions {
  readonly store: Store
  readonly log: Logger
  /** Accounts of a slice: one query for each thing that is read of them. */
  readonly slice?: number
  /** For which a look goes on with further slices. */
  readonly lookMs?: number
}

/** What a look is about. */
export interface Look {
  readonly alerts: AlertsConfig
  readonly config: Pick<Config, 'accounts' | 'plans'>
  readonly down: DownSince
  /** Milliseconds since the epoch. */
  readonly now: number
}

const SLICE = 1000
/** Of each five seconds; most of it is the store's. */
const LOOK_MS = 100

export class AlertFinder {
  readonly #store: Store
  readonly #log: Logger
  readonly #slice: number
  readonly #lookMs: number
  /** Where the next slice begins: of the accounts in the file, of those in the store, of alerts about balances. */
  #fileAt = 0
  #accountsAfter = ''
  #alertsAfter = ''

  constructor({ store, log, slice = SLICE, lookMs = LOOK_MS }: FinderOptions) {
    this.#store = store
    this.#log = log
    this.#slice = slice
    this.#lookMs = lookMs
  }

  async look(look: Look): Promise<void> {
    const { alerts, down, now } = look
    const failing = downBackends(alerts, down.down, now)
    const unsettled = down.unsettled(alerts.backend_down_seconds * 1000, now)
    await keepAlerts(
      this.#store,
      'backend.down',
      unsettled.map(({ model, address }) => `backend.down:${model}:${address}`),
    )
    await expireAlerts(this.#store, now * 1000)
    await this.#raise(failing, now)
    await this.#forWhile(() => this.#forgetSlice(look))
    await this.#forWhile(() => this.#fileSlice(look))
    await this.#forWhile(() => this.#storeSlice(look))
  }

  /** Repeats `slice` until it returns true, behind the last one, or the time is over. */
  async #forWhile(slice: () => Promise<boolean>): Promise<void> {
    const until = performance.now() + this.#lookMs
    while (!(await slice()) && performance.now() < until);
  }

  async #fileSlice(look: Look): Promise<boolean> {
    const { accounts } = look.config
    const part = accounts.slice(this.#fileAt, this.#fileAt + this.#slice).map(toAccount)
    await this.#find(part, look)
    this.#fileAt += this.#slice
    if (this.#fileAt < accounts.length) return false
    this.#fileAt = 0
    return true
  }

  async #storeSlice(look: Look): Promise<boolean> {
    const { alerts, config, now } = look
    const filter = candidateFilter(alerts, config, now)
    const { accounts, last } = await alertCandidates(this.#store.reader, filter, this.#accountsAfter, this.#slice)
    const configured = new Set(config.accounts.map(({ id }) => id))
    await this.#find(
      accounts.filter(({ id }) => !configured.has(id)),
      look,
    )
    this.#accountsAfter = last ?? ''
    return last === null
  }

  async #find(accounts: readonly Account[], { alerts, config, now }: Look): Promise<void> {
    if (accounts.length === 0) return
    const low = lowCredits(alerts, accounts, await this.#balances(accounts), now)
    await this.#raise([...low, ...(await this.#quotas(accounts, { alerts, config, now }))], now)
  }

  /** Alerts about balances that are no longer low, or whose account or threshold is gone, may be raised again. */
  async #forgetSlice({ alerts, config, now }: Look): Promise<boolean> {
    const names = await raisedAlerts(this.#store.reader, 'credits.low', this.#alertsAfter, this.#slice)
    const ids = new Set(names.map(accountOfAlert))
    const configured = config.accounts.filter(({ id }) => ids.delete(id)).map(toAccount)
    const accounts = [...configured, ...(await findAccounts(this.#store.reader, [...ids]))]
    const low = new Set(lowCredits(alerts, accounts, await this.#balances(accounts), now).map(({ name }) => name))
    await forgetAlerts(
      this.#store,
      names.filter(name => !low.has(name)),
    )
    const isLast = names.length < this.#slice
    this.#alertsAfter = isLast ? '' : names.at(-1)!
    return isLast
  }

  async #raise(found: readonly NewAlert[], now: number): Promise<void> {
    const dropped = await raiseAlerts(this.#store, found, now * 1000)
    if (dropped > 0) this.#log.error({ dropped }, 'alerts are dropped: too many wait to be sent')
  }

  /** Sums of the ledgers in micro-cents. */
  async #balances(accounts: readonly Account[]): Promise<ReadonlyMap<string, number>> {
    const prepaid = accounts.filter(({ creditsCents }) => creditsCents !== undefined).map(({ id }) => id)
    if (prepaid.length === 0) return new Map()
    const totals = await creditTotals(this.#store.reader, prepaid)
    return new Map(Array.from(totals, ([id, { granted, charged }]) => [id, granted - charged]))
  }

  /** By what the hourly totals count, as usage reports do. */
  async #quotas(accounts: readonly Account[], { alerts, config, now }: Omit<Look, 'down'>): Promise<NewAlert[]> {
    if (alerts.quota_used.length === 0) return []
    const limited = accounts.flatMap(account => {
      const window = quotaWindow(config, account, now)
      return window === undefined ? [] : [{ account, window }]
    })
    const found: NewAlert[] = []
    for (const [from, those] of Map.groupBy(limited, ({ window }) => window.from)) {
      const ids = those.map(({ account }) => account.id)
      const counts = await requestCounts(this.#store.reader, ids, from * 1000)
      for (const { account, window } of those)
        found.push(...usedQuota(alerts, account, window, counts.get(account.id) ?? 0, now))
    }
    return found
  }
}
