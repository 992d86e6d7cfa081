/** Messages that wait to be sent, and those of alerts for operators. */
import { sendWebhook } from '../base/webhook.ts'
import { type DueAlert, dueAlerts, noteAttempt } from '../store/alerts.ts'
import type { Session } from '../store/database.ts'
import type { AlertsConfig } from './conditions.ts'

export interface Message {
  /** Every attempt has this id. */
  readonly webhookId: string
  readonly attempts: number
}

export interface Attempt {
  /** Failed attempts. */
  readonly attempts: number
  /** Time of the next attempt, in microseconds since the epoch. null: the message was sent or given up. */
  readonly nextAt: number | null
  /** Why the attempt failed. null: it did not. */
  readonly problem: string | null
}

/** Messages that wait. Times are microseconds since the epoch. */
export interface Outbox<M extends Message> {
  /** At most `limit` messages whose next attempt is due. */
  due(now: number, limit: number): Promise<readonly M[]>
  /** Rejects with the reason. `seconds`: time of the attempt, since the epoch. */
  send(message: M, seconds: number): Promise<void>
  /** Milliseconds until the next attempt, after `failed` ones. null: the message is given up. */
  pauseAfter(failed: number, message: M): number | null
  note(message: M, attempt: Attempt): Promise<void>
}

/** Pause after the first failed attempt. It doubles after each further one. */
const RETRY_MS = 1000
const MAX_RETRY_MS = 3_600_000
/** Maximum number of attempts to send one alert, in about a day. */
const MAX_ATTEMPTS = 34

/** The alerts that wait, and the webhook of the configuration. */
export function operatorOutbox(store: Session, { webhook, secret }: AlertsConfig): Outbox<DueAlert> {
  return {
    due: (now, limit) => dueAlerts(store, now, limit),
    send: ({ webhookId: id, body }, seconds) => sendWebhook(webhook, secret, { id, body }, seconds),
    pauseAfter: failed => (failed >= MAX_ATTEMPTS ? null : Math.min(RETRY_MS * 2 ** (failed - 1), MAX_RETRY_MS)),
    note: ({ name }, { attempts, nextAt }) => noteAttempt(store, name, attempts, nextAt),
  }
}
