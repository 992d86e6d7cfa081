/** Finds out what operators are to be told, and tells it: in one process of all that share the store, apart from requests. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { type Account, toAccount } from '../accounts/keys.ts'
import type { Clock } from '../base/clock.ts'
import { hourly } from '../base/hourly.ts'
import type { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/config.ts'
import { loadAccounts } from '../store/accounts.ts'
import {
  type DueAlert,
  dueAlerts,
  expireAlerts,
  keepAlerts,
  leadAlerts,
  leaveAlerts,
  type NewAlert,
  noteAttempt,
  raiseAlerts,
} from '../store/alerts.ts'
import { creditTotals } from '../store/credits.ts'
import { requestCounts } from '../store/queries/request-counts.ts'
import type { Store } from '../store/store.ts'
import { type AlertsConfig, downBackends, lowCredits, quotaWindow, usedQuota } from './conditions.ts'
import { DownSince, type SeenBackend } from './down.ts'
import { sendMessage } from './webhook.ts'

export interface AlertParts {
  readonly store: Store
  readonly config: () => Config
  readonly backends: () => readonly SeenBackend[]
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  /** Between two looks for what is to be sent. */
  readonly everyMs?: number
}

const EVERY_MS = 1000
/** Conditions are looked at in one of so many looks: that reads every account. */
const LOOKS = 5
/** For which a process that no longer looks keeps others from sending. */
const LEASE_MS = 30_000
/** Pauses double from this one on. */
const RETRY_MS = 1000
const LONGEST_RETRY_MS = 3_600_000
/** Attempts for one alert: about a day. */
const MOST_ATTEMPTS = 34
/** Alerts for one look. */
const BATCH = 20
/** Accounts for one query. */
const ACCOUNTS = 500

/** Returns a function that stops, and lets another process go on. */
export function watchAlerts(parts: AlertParts): () => Promise<void> {
  const { store, config, backends, clock, log, metrics, everyMs = EVERY_MS } = parts
  const holder = randomUUID()
  const down = new DownSince()
  const counter = metrics.counter({
    name: 'sluiceway_alerts_total',
    help: 'Attempts to send an alert, by its type and how they ended.',
    labelNames: ['type', 'outcome'],
  })
  let wasFailing = false
  let looks = 0

  const look = async (stopping: AbortSignal) => {
    const { alerts, ...rest } = config()
    if (alerts === undefined) return
    const now = clock.now()
    down.look(backends(), now)
    await store.prepare()
    if (!(await leadAlerts(store, holder, now * 1000, (now + LEASE_MS) * 1000))) return
    if (looks++ % LOOKS === 0) await findAlerts(store, alerts, rest, down, now, log)
    for (const alert of await dueAlerts(store, now * 1000, BATCH)) {
      if (stopping.aborted) return
      await send(alert, alerts)
      // A slow receiver must not cost the lease while this process is still sending.
      if (!(await leadAlerts(store, holder, clock.now() * 1000, (clock.now() + LEASE_MS) * 1000))) return
    }
    wasFailing = false
  }

  const send = async ({ name, type, webhookId: id, body, attempts }: DueAlert, { webhook, secret }: AlertsConfig) => {
    try {
      await sendMessage(webhook, secret, { id, body }, Math.floor(clock.now() / 1000))
      await noteAttempt(store, name, attempts, null)
      counter.inc({ type, outcome: 'sent' })
    } catch (err) {
      const failed = attempts + 1
      const isLast = failed >= MOST_ATTEMPTS
      const pause = Math.min(RETRY_MS * 2 ** attempts, LONGEST_RETRY_MS)
      await noteAttempt(store, name, failed, isLast ? null : (clock.now() + pause) * 1000)
      counter.inc({ type, outcome: isLast ? 'failed' : 'retried' })
      const problem = (err as Error).message
      log.warn({ alert: type, webhook_id: id, attempts: failed, problem }, isLast ? 'alert given up' : 'alert not sent')
    }
  }

  const end = hourly(
    look,
    err => {
      if (!wasFailing) log.warn({ err }, 'alerts cannot be looked for: the store does not answer')
      wasFailing = true
    },
    everyMs,
  )
  return async () => {
    await end()
    await leaveAlerts(store, holder).catch(() => {})
  }
}

async function findAlerts(
  store: Store,
  alerts: AlertsConfig,
  config: Pick<Config, 'accounts' | 'plans'>,
  down: DownSince,
  now: number,
  log: Logger,
): Promise<void> {
  const configured = config.accounts.map(toAccount)
  const ids = new Set(configured.map(({ id }) => id))
  const accounts = [...configured, ...(await loadAccounts(store.reader)).filter(({ id }) => !ids.has(id))]
  const low = lowCredits(alerts, accounts, await balancesOf(store, alerts, accounts), now)
  const used = await quotas(store, alerts, config, accounts, now)
  const failing = downBackends(alerts, down.down, now)
  const unsettled = down.unsettled(alerts.backend_down_seconds * 1000, now)
  await keepAlerts(
    store,
    'credits.low',
    low.map(({ name }) => name),
  )
  await keepAlerts(
    store,
    'backend.down',
    unsettled.map(({ model, address }) => `backend.down:${model}:${address}`),
  )
  await expireAlerts(store, now * 1000)
  const dropped = await raiseAlerts(store, [...low, ...used, ...failing], now * 1000)
  if (dropped > 0) log.error({ dropped }, 'alerts are dropped: too many wait to be sent')
}

async function balancesOf(
  store: Store,
  { credit_below_cents: thresholds }: AlertsConfig,
  accounts: readonly Account[],
): Promise<ReadonlyMap<string, number>> {
  const balances = new Map<string, number>()
  if (thresholds.length === 0) return balances
  const prepaid = accounts.filter(({ creditsCents }) => creditsCents !== undefined).map(({ id }) => id)
  for (let at = 0; at < prepaid.length; at += ACCOUNTS) {
    const totals = await creditTotals(store.reader, prepaid.slice(at, at + ACCOUNTS))
    for (const [id, { granted, charged }] of totals) balances.set(id, granted - charged)
  }
  return balances
}

/** By what the hourly totals count, as usage reports do. */
async function quotas(
  store: Store,
  alerts: AlertsConfig,
  config: Pick<Config, 'plans'>,
  accounts: readonly Account[],
  now: number,
): Promise<NewAlert[]> {
  if (alerts.quota_used.length === 0) return []
  const limited = accounts.flatMap(account => {
    const window = quotaWindow(config, account, now)
    return window === undefined ? [] : [{ account, window }]
  })
  const found: NewAlert[] = []
  for (const [from, those] of Map.groupBy(limited, ({ window }) => window.from)) {
    for (let at = 0; at < those.length; at += ACCOUNTS) {
      const part = those.slice(at, at + ACCOUNTS)
      const ids = part.map(({ account }) => account.id)
      const counts = await requestCounts(store.reader, ids, from * 1000)
      for (const { account, window } of part)
        found.push(...usedQuota(alerts, account, window, counts.get(account.id) ?? 0, now))
    }
  }
  return found
}
