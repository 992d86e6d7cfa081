/** Finds alerts in slices of accounts. A check has a time limit; the next one continues after its last slice. */
import type { Logger } from 'pino'
import { type Account, toAccount } from '../accounts/access.ts'
import type { Config } from '../config/config.ts'
import { findAccounts } from '../store/accounts.ts'
import {
  announceBatches,
  endedBatches,
  expireAlerts,
  forgetAlerts,
  keepAlerts,
  type NewAlert,
  raiseAlerts,
  raisedAlerts,
} from '../store/alerts.ts'
import { creditTotals } from '../store/credits.ts'
import { alertCandidates, requestCounts } from '../store/queries/alert-candidates.ts'
import type { Store } from '../store/store.ts'
import type { BackendStates } from './backend-states.ts'
import {
  type AlertsConfig,
  accountOfAlert,
  candidateFilter,
  downBackends,
  endedBatch,
  lowCredits,
  quotaWindow,
  usedQuota,
} from './conditions.ts'

interface FinderOptions {
  readonly store: Store
  readonly log: Logger
  readonly slice?: number
  /** Milliseconds after which a check starts no further slice of the same kind. */
  readonly checkMs?: number
}

interface Check {
  readonly alerts: AlertsConfig
  readonly config: Pick<Config, 'accounts' | 'batches' | 'plans'>
  readonly backends: BackendStates
  /** Milliseconds since the epoch. */
  readonly now: number
}

const SLICE = 1000
/** The store spends most of this time. Checks run every five seconds. */
const CHECK_MS = 100

export class AlertFinder {
  readonly #store: Store
  readonly #log: Logger
  readonly #slice: number
  readonly #checkMs: number
  /** Index of the next account in the configuration. */
  #configAt = 0
  /** Id of the last account of the store that was checked. */
  #accountsAfter = ''
  /** Name of the last alert about a balance that was checked. */
  #alertsAfter = ''

  constructor({ store, log, slice = SLICE, checkMs = CHECK_MS }: FinderOptions) {
    this.#store = store
    this.#log = log
    this.#slice = slice
    this.#checkMs = checkMs
  }

  /** Raises new alerts, and removes those whose condition is no longer true. */
  async check(check: Check): Promise<void> {
    const { alerts, backends, now } = check
    const failing = downBackends(alerts, backends.down, now)
    const unsettled = backends.unsettled(alerts.backend_down_seconds * 1000, now)
    await keepAlerts(
      this.#store,
      'backend.down',
      unsettled.map(({ model, address }) => `backend.down:${model}:${address}`),
    )
    await expireAlerts(this.#store, now * 1000)
    await this.#raise(failing, now)
    if (check.config.batches !== undefined) await this.#repeat(() => this.#batchSlice(now))
    await this.#repeat(() => this.#forgetSlice(check))
    await this.#repeat(() => this.#configSlice(check))
    await this.#repeat(() => this.#storeSlice(check))
  }

  /** Repeats `slice` until it returns true for the last slice, or until the time limit. */
  async #repeat(slice: () => Promise<boolean>): Promise<void> {
    const until = performance.now() + this.#checkMs
    while (!(await slice()) && performance.now() < until);
  }

  async #batchSlice(now: number): Promise<boolean> {
    const ended = await endedBatches(this.#store.reader, this.#slice)
    if (ended.length === 0) return true
    const alerts = new Map(ended.map(batch => [batch.id, endedBatch(batch, now)]))
    const isDone = await announceBatches(this.#store, alerts, now * 1000)
    return !isDone || ended.length < this.#slice
  }

  async #configSlice(check: Check): Promise<boolean> {
    const { accounts } = check.config
    const slice = accounts.slice(this.#configAt, this.#configAt + this.#slice).map(toAccount)
    await this.#find(slice, check)
    this.#configAt += this.#slice
    if (this.#configAt < accounts.length) return false
    this.#configAt = 0
    return true
  }

  async #storeSlice(check: Check): Promise<boolean> {
    const { alerts, config, now } = check
    const filter = candidateFilter(alerts, config, now)
    const { accounts, last } = await alertCandidates(this.#store.reader, filter, this.#accountsAfter, this.#slice)
    const configured = new Set(config.accounts.map(({ id }) => id))
    await this.#find(
      accounts.filter(({ id }) => !configured.has(id)),
      check,
    )
    this.#accountsAfter = last ?? ''
    return last === null
  }

  async #find(accounts: readonly Account[], { alerts, config, now }: Omit<Check, 'backends'>): Promise<void> {
    if (accounts.length === 0) return
    const low = lowCredits(alerts, accounts, await this.#balances(accounts), now)
    await this.#raise([...low, ...(await this.#quotas(accounts, { alerts, config, now }))], now)
  }

  /** Removes alerts about balances that are no longer low, or whose account or threshold no longer exists. */
  async #forgetSlice({ alerts, config, now }: Check): Promise<boolean> {
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

  /** Sums of the ledger per account, in micro-cents. */
  async #balances(accounts: readonly Account[]): Promise<ReadonlyMap<string, number>> {
    const prepaid = accounts.filter(({ creditsCents }) => creditsCents !== undefined).map(({ id }) => id)
    if (prepaid.length === 0) return new Map()
    const totals = await creditTotals(this.#store.reader, prepaid)
    return new Map(Array.from(totals, ([id, { granted, charged }]) => [id, granted - charged]))
  }

  /** Counts requests from hourly totals, as usage reports do. */
  async #quotas(accounts: readonly Account[], { alerts, config, now }: Omit<Check, 'backends'>): Promise<NewAlert[]> {
    if (alerts.quota_used.length === 0) return []
    const limited = accounts.flatMap(account => {
      const window = quotaWindow(config, account, now)
      return window === undefined ? [] : [{ account, window }]
    })
    const found: NewAlert[] = []
    for (const [from, group] of Map.groupBy(limited, ({ window }) => window.from)) {
      const ids = group.map(({ account }) => account.id)
      const counts = await requestCounts(this.#store.reader, ids, from * 1000)
      for (const { account, window } of group)
        found.push(...usedQuota(alerts, account, window, counts.get(account.id) ?? 0, now))
    }
    return found
  }
}
