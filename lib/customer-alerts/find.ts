/** Finds events of customers' alerts in slices. A check has a time limit, and the next one continues where it ended. */
import { type Account, toAccount } from '../accounts/access.ts'
import type { Config } from '../config/config.ts'
import type { ReadSpent } from '../limits/stored-spend.ts'
import { windowAt } from '../limits/windows.ts'
import { findAccounts } from '../store/accounts.ts'
import { prepaidBalances } from '../store/credits.ts'
import { alertPage, type CustomerAlert, changeCrossed, deleteAlerts } from '../store/customer-alerts.ts'
import { findKeys } from '../store/keys.ts'
import type { Store } from '../store/store.ts'
import {
  type Crossing,
  changeOf,
  lowBalance,
  type SpentBudget,
  type Subject,
  usedBudgets,
  watchedBudgets,
} from './conditions.ts'

interface FinderOptions {
  readonly store: Store
  /** Reads what an account or key has spent. */
  readonly readSpent: ReadSpent
  readonly slice?: number
  /** Milliseconds after which a check starts no further slice. */
  readonly checkMs?: number
}

type AlertConfig = Pick<Config, 'accounts' | 'currency' | 'plans'>

const SLICE = 100
/** The store spends most of this time. */
const CHECK_MS = 100

/** What the alerts of a slice are about. */
interface Slice {
  readonly accounts: ReadonlyMap<string, Account>
  /** Micro-cents, by prepaid account. */
  readonly balances: ReadonlyMap<string, number>
  /** The account or the key of the alert does not exist. */
  isGone(alert: CustomerAlert): boolean
  /** undefined: it is gone, or the account is disabled. */
  subjectOf(alert: CustomerAlert): Subject | undefined
}

export class CustomerAlertFinder {
  readonly #store: Store
  readonly #readSpent: ReadSpent
  readonly #slice: number
  readonly #checkMs: number
  /** Id of the last alert that was checked. '': all were. */
  #after = ''

  constructor({ store, readSpent, slice = SLICE, checkMs = CHECK_MS }: FinderOptions) {
    this.#store = store
    this.#readSpent = readSpent
    this.#slice = slice
    this.#checkMs = checkMs
  }

  /**
   * False: the time limit has ended the check before the last alert. `now`: milliseconds since the epoch. Alerts from
   * before `since` are removed if their account or key does not exist.
   */
  async check(config: AlertConfig, now: number, since = 0): Promise<boolean> {
    const until = performance.now() + this.#checkMs
    do await this.#next(config, now, since)
    while (this.#after !== '' && performance.now() < until)
    return this.#after === ''
  }

  async #next(config: AlertConfig, now: number, since: number): Promise<void> {
    const alerts = await alertPage(this.#store.reader, this.#after, this.#slice)
    const slice = await this.#read(alerts, config)
    // Several alerts of one budget read it once.
    const spent = new Map<string, Promise<number>>()
    for (const alert of alerts) {
      const subject = slice.subjectOf(alert)
      if (subject === undefined) {
        if (slice.isGone(alert) && alert.created_at < since * 1000) await deleteAlerts(this.#store, 'id', alert.id)
        continue
      }
      const crossings = await this.#crossings(alert, subject, slice, { config, spent, now })
      const change = changeOf(alert, crossings, now)
      if (change !== undefined) await changeCrossed(this.#store, alert, change.crossed, change.event, now * 1000)
    }
    this.#after = alerts.length < this.#slice ? '' : alerts.at(-1)!.id
  }

  async #read(alerts: readonly CustomerAlert[], config: AlertConfig): Promise<Slice> {
    const ids = new Set(alerts.map(({ account_id }) => account_id))
    const configured = config.accounts.filter(({ id }) => ids.has(id))
    const configuredIds = new Set(configured.map(({ id }) => id))
    const stored = await findAccounts(this.#store.reader, [...ids.difference(configuredIds)])
    const accounts = new Map([...configured.map(toAccount), ...stored].map(account => [account.id, account]))
    const balances = await prepaidBalances(this.#store.reader, [...accounts.values()])
    const keyIds = alerts.map(({ key_id }) => key_id).filter(id => id !== '')
    const keys = new Map([
      ...configured.flatMap(({ keys }) => keys.map(({ id, limits }) => [id, { id, label: null, limits }] as const)),
      ...(await findKeys(this.#store.reader, keyIds)).map(
        ({ id, label = null, limits }) => [id, { id, label, limits }] as const,
      ),
    ])
    return {
      accounts,
      balances,
      isGone: ({ account_id, key_id }) => !accounts.has(account_id) || (key_id !== '' && !keys.has(key_id)),
      subjectOf({ account_id, key_id }) {
        const account = accounts.get(account_id)
        const key = keys.get(key_id)
        if (account === undefined || account.disabled || (key_id !== '' && key === undefined)) return undefined
        const limits = key === undefined ? config.plans[account.plan ?? '']?.limits : key.limits
        return { account, key: key ?? null, budgets: watchedBudgets(limits) }
      },
    }
  }

  async #crossings(
    alert: CustomerAlert,
    subject: Subject,
    { balances }: Slice,
    { config, spent, now }: { config: AlertConfig; spent: Map<string, Promise<number>>; now: number },
  ): Promise<readonly Crossing[]> {
    const { account, key, budgets } = subject
    if (alert.kind === 'balance_below_cents') {
      const balance = balances.get(account.id)
      return balance === undefined ? [] : lowBalance(alert, subject, balance, config.currency, now)
    }
    const read: SpentBudget[] = []
    for (const budget of budgets) {
      const { from, to } = windowAt(now, budget.windowMs)
      const name = JSON.stringify([account.id, key?.id, from, to])
      let pending = spent.get(name)
      if (pending === undefined) {
        pending = this.#readSpent({ account: account.id, ...(key && { key: key.id }), from, to })
        spent.set(name, pending)
      }
      read.push({ ...budget, end: to, spentMicrocents: await pending })
    }
    return usedBudgets(alert, subject, read, config.currency, now)
  }
}
