/** Finds and sends customers' alerts in the background. Of all processes that share the store, one does this. */
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import { Deliveries } from '../alerts/deliveries.ts'
import type { Outbox } from '../alerts/outbox.ts'
import { startRounds } from '../alerts/rounds.ts'
import type { Clock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/config.ts'
import type { ReadSpent } from '../limits/stored-spend.ts'
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

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Pauses before the five repetitions, which take about a day. */
const PAUSES = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 18 * HOUR_MS]

/** Returns a function that stops, and lets another process send. */
export function watchCustomerAlerts(parts: CustomerAlertParts): () => Promise<void> {
  const { store, config, readSpent, webhooks, clock, log, metrics, everyMs } = parts
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
  let accounts: Config['accounts'] | undefined
  /** When this process was given its present accounts. Another one may have alerts of newer accounts. */
  let since = 0
  return startRounds({
    ...{ store, clock, log, deliveries, everyMs },
    sender: 'customer_alert_sender',
    failure: "customers' alerts cannot be checked: the store does not answer",
    begin(now) {
      const current = config()
      if (!current.console.alerts) return undefined
      counterOf(metrics)
      if (!isDeepStrictEqual(current.accounts, accounts)) since = now
      accounts = current.accounts
      return { outbox: outboxOf(store, clock, webhooks()), find: () => finder.check(current, now, since) }
    },
  })
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
