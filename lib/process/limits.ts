import type { Logger } from 'pino'
import { systemClock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import type { LoopWriteQueue } from '../base/write-queue.ts'
import type { Config } from '../config/config.ts'
import { createLimits } from '../limits/create.ts'
import type { Ledger } from '../limits/ledger.ts'
import type { Limits } from '../limits/limits.ts'
import type { ReadSpent } from '../limits/stored-spend.ts'
import { priced, priceFactors } from '../limits/usage-cost.ts'
import type { Recording } from '../records/recording.ts'
import { findAccount } from '../store/accounts.ts'
import { creditTotals } from '../store/credits.ts'
import type { Session } from '../store/database.ts'
import { requestCounts } from '../store/queries/alert-candidates.ts'
import { endUserTokens } from '../store/queries/end-users.ts'
import { modelUsage } from '../store/queries/usage.ts'

interface LimitsHost {
  readonly recording: Recording
  /** The current configuration, for prices. */
  config(): Config
  readonly log: Logger
  readonly metrics: Metrics
  readonly writes: LoopWriteQueue
}

/** The store of the limits is that of `config`; it stays the same across reloads. */
export function startLimits(config: Config, host: LimitsHost): Promise<Limits> {
  const { recording, log, metrics, writes } = host
  const ledger = ledgerOf(recording)
  const readSpent = readSpentOf(recording, () => host.config())
  const readRequests = readRequestsOf(recording)
  return createLimits(config, { clock: systemClock, log, metrics, ledger, readSpent, readRequests, writes })
}

function ledgerOf({ store, caughtUp }: Recording): Ledger {
  return {
    async totals(accounts) {
      // Until then, the ledger lacks the last charges before a restart, so balances would be too high.
      await caughtUp
      return creditTotals(store.reader, accounts)
    },
  }
}

const HOUR_MS = 3_600_000

/**
 * Spending from the hourly totals at the current prices, without a partial hour at the start of the period. That of end
 * users is from records.
 */
export function readSpentOf({ store, caughtUp }: Recording, config: () => Config): ReadSpent {
  return async ({ account, key, model, endUser, from, to }) => {
    await caughtUp
    const hours = { from: Math.ceil(from / HOUR_MS), to: Math.ceil(to / HOUR_MS) }
    const rows = await (endUser === undefined
      ? modelUsage(store.reader, { account, key, model, ...hours })
      : endUserTokens(store.reader, { account, key, endUser, from: from * 1000, to: to * 1000 }))
    const current = config()
    const plan = rows.some(({ batch }) => batch === 1) ? await planOf(store.reader, current, account) : undefined
    const prices = priced(rows, current.models, priceFactors(current, plan))
    return prices.reduce((sum, { microcents }) => sum + microcents, 0)
  }
}

/** Requests until now from the hourly totals, without a partial hour at the start of the period. */
function readRequestsOf({ store, caughtUp }: Recording): ReadSpent {
  return async ({ account, from }) => {
    await caughtUp
    return (await requestCounts(store.reader, [account], from * 1000)).get(account) ?? 0
  }
}

async function planOf(store: Session, { accounts }: Config, id: string): Promise<string | undefined> {
  const account = accounts.find(one => one.id === id) ?? (await findAccount(store, id))
  return account?.plan
}
