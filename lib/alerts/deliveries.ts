/** Alerts on their way to the receiver, side by side: one that it takes slowly delays no other. */
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { type DueAlert, dueAlerts, noteAttempt } from '../store/alerts.ts'
import type { Session } from '../store/database.ts'
import type { AlertsConfig } from './conditions.ts'
import { sendMessage } from './webhook.ts'

/** Requests to the receiver at the same time. */
export const MOST_SENDING = 20
/** Pauses double from this one on. */
const RETRY_MS = 1000
const LONGEST_RETRY_MS = 3_600_000
/** Attempts for one alert: about a day. */
const MOST_ATTEMPTS = 34

export interface DeliveryOptions {
  readonly store: Session
  readonly clock: Clock
  readonly log: Logger
  /** How an attempt has ended. */
  onAttempt(type: string, outcome: 'sent' | 'retried' | 'failed'): void
}

export class Deliveries {
  readonly #options: DeliveryOptions
  /** By the alert's name. */
  readonly #sending = new Map<string, Promise<void>>()

  constructor(options: DeliveryOptions) {
    this.#options = options
  }

  /** Begins to send what is due, as much as may be at the same time. `now`: microseconds since the epoch. */
  async begin(config: AlertsConfig, now: number): Promise<void> {
    // The store may have been read before the end of one of them was noted.
    const sending = new Set(this.#sending.keys())
    if (sending.size >= MOST_SENDING) return
    const due = await dueAlerts(this.#options.store, now, MOST_SENDING + sending.size)
    for (const alert of due.filter(({ name }) => !sending.has(name)).slice(0, MOST_SENDING - sending.size)) {
      const sent = this.#send(alert, config).finally(() => this.#sending.delete(alert.name))
      this.#sending.set(alert.name, sent)
    }
  }

  /** Resolves when none is on its way: after the time that a receiver may take, at the latest. */
  async settled(): Promise<void> {
    await Promise.all(this.#sending.values())
  }

  async #send({ name, type, webhookId: id, body, attempts }: DueAlert, { webhook, secret }: AlertsConfig) {
    const { clock, log, onAttempt } = this.#options
    try {
      await sendMessage(webhook, secret, { id, body }, Math.floor(clock.now() / 1000))
      onAttempt(type, 'sent')
      await this.#note(name, attempts, null)
    } catch (err) {
      const failed = attempts + 1
      const isLast = failed >= MOST_ATTEMPTS
      const pause = Math.min(RETRY_MS * 2 ** attempts, LONGEST_RETRY_MS)
      onAttempt(type, isLast ? 'failed' : 'retried')
      const problem = (err as Error).message
      log.warn({ alert: type, webhook_id: id, attempts: failed, problem }, isLast ? 'alert given up' : 'alert not sent')
      await this.#note(name, failed, isLast ? null : (clock.now() + pause) * 1000)
    }
  }

  /** Without the store the attempt is forgotten: the alert is sent again, under the same id. */
  async #note(name: string, attempts: number, nextAt: number | null): Promise<void> {
    await noteAttempt(this.#options.store, name, attempts, nextAt).catch((err: unknown) => {
      this.#options.log.warn({ err }, 'an alert may be sent again: the store does not answer')
    })
  }
}
