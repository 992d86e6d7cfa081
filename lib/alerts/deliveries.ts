/** Sends alerts to the webhook, several at the same time, so that a slow request delays no other alert. */
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { sendWebhook } from '../base/webhook.ts'
import { type DueAlert, dueAlerts, noteAttempt } from '../store/alerts.ts'
import type { Session } from '../store/database.ts'
import type { AlertsConfig } from './conditions.ts'

/** Concurrent requests to the webhook. */
const MAX_SENDING = 20
/** Pause after the first failed attempt. It doubles after each further one. */
const RETRY_MS = 1000
const MAX_RETRY_MS = 3_600_000
/** Maximum number of attempts to send one alert, in about a day. */
const MAX_ATTEMPTS = 34

interface DeliveryOptions {
  readonly store: Session
  readonly clock: Clock
  readonly log: Logger
  /** Called after each attempt. */
  onAttempt(type: string, outcome: 'sent' | 'retried' | 'failed'): void
}

export class Deliveries {
  readonly #options: DeliveryOptions
  /** Requests in flight, by the name of the alert. */
  readonly #sending = new Map<string, Promise<void>>()

  constructor(options: DeliveryOptions) {
    this.#options = options
  }

  /** Starts to send due alerts, up to the limit of concurrent requests. `now`: microseconds since the epoch. */
  async begin(config: AlertsConfig, now: number): Promise<void> {
    // Copied, because dueAlerts() may still return an alert whose request ends while the query runs.
    const sending = new Set(this.#sending.keys())
    if (sending.size >= MAX_SENDING) return
    const due = await dueAlerts(this.#options.store, now, MAX_SENDING + sending.size)
    for (const alert of due.filter(({ name }) => !sending.has(name)).slice(0, MAX_SENDING - sending.size)) {
      const sent = this.#send(alert, config).finally(() => this.#sending.delete(alert.name))
      this.#sending.set(alert.name, sent)
    }
  }

  /** Resolves when no request is in flight, after the time limit of a request at the latest. */
  async settled(): Promise<void> {
    await Promise.all(this.#sending.values())
  }

  async #send({ name, type, webhookId: id, body, attempts }: DueAlert, { webhook, secret }: AlertsConfig) {
    const { clock, log, onAttempt } = this.#options
    try {
      await sendWebhook(webhook, secret, { id, body }, Math.floor(clock.now() / 1000))
      onAttempt(type, 'sent')
      await this.#note(name, attempts, null)
    } catch (err) {
      const failed = attempts + 1
      const isLast = failed >= MAX_ATTEMPTS
      const pause = Math.min(RETRY_MS * 2 ** attempts, MAX_RETRY_MS)
      onAttempt(type, isLast ? 'failed' : 'retried')
      const problem = (err as Error).message
      log.warn({ alert: type, webhook_id: id, attempts: failed, problem }, isLast ? 'alert given up' : 'alert not sent')
      await this.#note(name, failed, isLast ? null : (clock.now() + pause) * 1000)
    }
  }

  /** If the store is unavailable, the attempt is forgotten, and the alert is sent again with the same id. */
  async #note(name: string, attempts: number, nextAt: number | null): Promise<void> {
    await noteAttempt(this.#options.store, name, attempts, nextAt).catch((err: unknown) => {
      this.#options.log.warn({ err }, 'an alert may be sent again: the store does not answer')
    })
  }
}
