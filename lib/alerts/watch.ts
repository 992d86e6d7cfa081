/** Finds and sends alerts in the background. Of all processes that share the store, one does this. */
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/config.ts'
import type { DueAlert } from '../store/alerts.ts'
import type { Store } from '../store/store.ts'
import { type BackendState, BackendStates } from './backend-states.ts'
import { Deliveries } from './deliveries.ts'
import { AlertFinder } from './find.ts'
import { operatorOutbox } from './outbox.ts'
import { startRounds } from './rounds.ts'

interface AlertParts {
  readonly store: Store
  readonly config: () => Config
  readonly backends: () => readonly BackendState[]
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  /** Pause between two rounds. */
  readonly everyMs?: number
}

/** Returns a function that stops, and lets another process send. */
export function watchAlerts(parts: AlertParts): () => Promise<void> {
  const { store, config, backends, clock, log, metrics, everyMs } = parts
  const states = new BackendStates()
  const finder = new AlertFinder({ store, log })
  const counter = metrics.counter({
    name: 'sluiceway_alerts_total',
    help: 'Attempts to send an alert, by its type and outcome.',
    labelNames: ['type', 'outcome'],
  })
  const deliveries = new Deliveries<DueAlert>({
    clock,
    onAttempt({ type, webhookId }, outcome, { attempts, problem }) {
      counter.inc({ type, outcome })
      if (outcome === 'sent') return
      const text = outcome === 'failed' ? 'alert given up' : 'alert not sent'
      log.warn({ alert: type, webhook_id: webhookId, attempts, problem }, text)
    },
    onForgotten: err => log.warn({ err }, 'an alert may be sent again: the store does not answer'),
  })
  return startRounds({
    ...{ store, clock, log, deliveries, everyMs },
    sender: 'alert_sender',
    failure: 'alerts cannot be checked: the store does not answer',
    begin(now) {
      const { alerts, ...rest } = config()
      if (alerts === undefined) return undefined
      states.update(backends(), now)
      return {
        outbox: operatorOutbox(store, alerts),
        async find() {
          await finder.check({ alerts, config: rest, backends: states, now })
          return true
        },
      }
    },
  })
}
