/** Finds and sends alerts in the background. Of all processes that share the store, one does this. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { hourly } from '../base/hourly.ts'
import type { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/config.ts'
import { type DueAlert, leadAlerts, leaveAlerts } from '../store/alerts.ts'
import type { Store } from '../store/store.ts'
import { type BackendState, BackendStates } from './backend-states.ts'
import { Deliveries } from './deliveries.ts'
import { AlertFinder } from './find.ts'
import { operatorOutbox } from './outbox.ts'

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

const EVERY_MS = 1000
/** Every fifth round checks conditions; the others only send. */
const CHECK_ROUNDS = 5
/** Another process may send after this time without a round in this process. */
const LEASE_MS = 30_000

/** Returns a function that stops, and lets another process send. */
export function watchAlerts(parts: AlertParts): () => Promise<void> {
  const { store, config, backends, clock, log, metrics, everyMs = EVERY_MS } = parts
  const holder = randomUUID()
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
  let isFailing = false
  let rounds = 0

  const round = async () => {
    const { alerts, ...rest } = config()
    if (alerts === undefined) return
    const now = clock.now()
    states.update(backends(), now)
    await store.prepare()
    if (!(await leadAlerts(store, holder, now * 1000, (now + LEASE_MS) * 1000))) return
    if (rounds++ % CHECK_ROUNDS === 0) await finder.check({ alerts, config: rest, backends: states, now })
    await deliveries.begin(operatorOutbox(store, alerts), now * 1000)
    isFailing = false
  }

  const end = hourly(
    round,
    err => {
      if (!isFailing) log.warn({ err }, 'alerts cannot be checked: the store does not answer')
      isFailing = true
    },
    everyMs,
  )
  return async () => {
    await end()
    await deliveries.settled()
    await leaveAlerts(store, holder).catch(() => {})
  }
}
