/** Finds the alerts that are due and sends them: in one of the processes that share the store, off the request path. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { hourly } from '../base/hourly.ts'
import type { Metrics } from '../base/metrics.ts'
import type { Config } from '../config/config.ts'
import { leadAlerts, leaveAlerts } from '../store/alerts.ts'
import type { Store } from '../store/store.ts'
import { Deliveries } from './deliveries.ts'
import { DownSince, type SeenBackend } from './down.ts'
import { AlertFinder } from './find.ts'

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
/** Conditions are checked in every fifth look; the others only send. */
const LOOKS = 5
/** For which a process that no longer looks keeps others from sending. */
const LEASE_MS = 30_000

/** Returns a function that stops, and lets another process go on. */
export function watchAlerts(parts: AlertParts): () => Promise<void> {
  const { store, config, backends, clock, log, metrics, everyMs = EVERY_MS } = parts
  const holder = randomUUID()
  const down = new DownSince()
  const finder = new AlertFinder({ store, log })
  const counter = metrics.counter({
    name: 'sluiceway_alerts_total',
    help: 'Attempts to send an alert, by its type and how they ended.',
    labelNames: ['type', 'outcome'],
  })
  const onAttempt = (type: string, outcome: string) => counter.inc({ type, outcome })
  const deliveries = new Deliveries({ store, clock, log, onAttempt })
  let wasFailing = false
  let looks = 0

  const look = async () => {
    const { alerts, ...rest } = config()
    if (alerts === undefined) return
    const now = clock.now()
    down.look(backends(), now)
    await store.prepare()
    if (!(await leadAlerts(store, holder, now * 1000, (now + LEASE_MS) * 1000))) return
    if (looks++ % LOOKS === 0) await finder.look({ alerts, config: rest, down, now })
    await deliveries.begin(alerts, now * 1000)
    wasFailing = false
  }

  const end = hourly(
    look,
    err => {
      if (!wasFailing) log.warn({ err }, 'alerts cannot be checked: the store does not answer')
      wasFailing = true
    },
    everyMs,
  )
  return async () => {
    await end()
    await deliveries.settled()
    await leaveAlerts(store, holder).catch(() => {})
  }
}
