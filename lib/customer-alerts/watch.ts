/** Finds and sends customers' alerts in the background. Of all processes that share the store, one does this. */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import { Deliveries } from '../alerts/deliveries.ts'
import type { Outbox } from '../alerts/outbox.ts'
import type { Clock } from '../base/clock.ts'
import { hourly } from '../base/hourly.ts'
import type { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/config.ts'
import type { ReadSpent } from '../limits/stored-spend.ts'
import { leadAlerts, leaveAlerts } from '../store/alerts.ts'
import { type DueEvent, dueEvents, noteEventAttempt } from '../store/customer-alerts.ts'
import type { Store } from '../store/store.ts'
import { TEST } from './conditions.ts'
import { CustomerAlertFinder } from './find.ts'
import type { CustomerWebhooks } from './own-alerts.ts'

interface CustomerAlertParts {
  readonly store: Store
  readonly config: () => Config
  readonly readSpent: ReadSpent
  /** Those of the current configuration. */
  readonly webhooks: () => CustomerWebhooks
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  /** Pause between two rounds. */
  readonly everyMs?: number
}

const EVERY_MS = 1000
/** Every fifth round checks conditions, and the next one too if the check was not complete; the others only send. */
const CHECK_ROUNDS = 5
/** Another process may send after this time without a round in this process. */
const LEASE_MS = 30_000
const SENDER = 'customer_alert_sender'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Pauses before the five repetitions, which take about a day. */
const PAUSES = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 18 * HOUR_MS]

/** Returns a function that stops, and lets another process send. */
export function watchCustomerAlerts(parts: CustomerAlertParts): () => Promise<void> {
  const { store, config, readSpent, webhooks, clock, log, metrics, everyMs = EVERY_MS } = parts
  const holder = randomUUID()
  const finder = new CustomerAlertFinder({ store, readSpent })
  const deliveries = new Deliveries<DueEvent>({
    clock,
    onAttempt({ type, alertId: alert, webhookId: webhook_id }, outcome, { attempts, problem }) {
      counterOf(metrics).inc({ type, outcome })
      // The receiver is not the operator's. The customer sees the problem in the console.
      if (outcome !== 'sent') log.info({ alert, webhook_id, attempts, problem }, "a customer's alert was not sent")
    },
    onForgotten: err => log.warn({ err }, "a customer's alert may be sent again: the store does not answer"),
  })
  let isFailing = false
  let isComplete = true
  let rounds = 0
  let accounts: Config['accounts'] | undefined
  /** When this process was given its present accounts. Another one may have alerts of newer accounts. */
  let since = 0

  const round = async () => {
    const current = config()
    if (!current.console.alerts) return
    counterOf(metrics)
    const now = clock.now()
    if (!isDeepStrictEqual(current.accounts, accounts)) since = now
    accounts = current.accounts
    await store.prepare()
    if (!(await leadAlerts(store, holder, now * 1000, (now + LEASE_MS) * 1000, SENDER))) return
    if (rounds++ % CHECK_ROUNDS === 0 || !isComplete) isComplete = await finder.check(current, now, since)
    await deliveries.begin(outboxOf(store, clock, webhooks()), now * 1000)
    isFailing = false
  }

  const end = hourly(
    round,
    err => {
      if (!isFailing) log.warn({ err }, "customers' alerts cannot be checked: the store does not answer")
      isFailing = true
    },
    everyMs,
  )
  return async () => {
    await end()
    await deliveries.settled()
    if (rounds > 0) await leaveAlerts(store, holder, SENDER).catch(() => {})
  }
}

function outboxOf(store: Store, clock: Clock, webhooks: CustomerWebhooks): Outbox<DueEvent> {
  return {
    due: (now, limit) => dueEvents(store, now, limit),
    send: ({ url, secret, webhookId: id, body }, seconds) => webhooks.send(url, secret, { id, body }, seconds),
    // A customer waits for the result of a test.
    pauseAfter: (failed, { type }) => (type === TEST ? null : (PAUSES[failed - 1] ?? null)),
    note: (event, attempt) => noteEventAttempt(store, event, attempt, clock.now() * 1000),
  }
}

/** Not before the first use: a gateway without these alerts has no such metric. */
function counterOf(metrics: Metrics) {
  return metrics.counter({
    name: 'sluiceway_customer_alerts_total',
    help: "Attempts to send a customer's alert, by the type of its event and by outcome.",
    labelNames: ['type', 'outcome'],
  })
}
