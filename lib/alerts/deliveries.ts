/** Sends messages of an outbox, several at the same time, so that a slow request delays no other message. */
import type { Clock } from '../base/clock.ts'
import type { Attempt, Message, Outbox } from './outbox.ts'

/** Concurrent requests. */
const MAX_SENDING = 20

type Outcome = 'sent' | 'retried' | 'failed'

interface DeliveryOptions<M> {
  readonly clock: Clock
  /** Called after each attempt. */
  onAttempt(message: M, outcome: Outcome, attempt: Attempt): void
  /** The store does not answer. The attempt is forgotten, and the message is sent again with the same id. */
  onForgotten(error: unknown): void
}

export class Deliveries<M extends Message> {
  readonly #options: DeliveryOptions<M>
  /** Requests in flight, by id. */
  readonly #sending = new Map<string, Promise<void>>()

  constructor(options: DeliveryOptions<M>) {
    this.#options = options
  }

  /** Starts to send due messages, up to the limit of concurrent requests. `now`: microseconds since the epoch. */
  async begin(outbox: Outbox<M>, now: number): Promise<void> {
    // Copied, because due() may still return a message whose request ends while the query runs.
    const sending = new Set(this.#sending.keys())
    if (sending.size >= MAX_SENDING) return
    const due = await outbox.due(now, MAX_SENDING + sending.size)
    for (const message of due.filter(one => !sending.has(one.webhookId)).slice(0, MAX_SENDING - sending.size)) {
      const sent = this.#send(message, outbox).finally(() => this.#sending.delete(message.webhookId))
      this.#sending.set(message.webhookId, sent)
    }
  }

  /** Resolves when no request is in flight, after the time limit of a request at the latest. */
  async settled(): Promise<void> {
    await Promise.all(this.#sending.values())
  }

  async #send(message: M, outbox: Outbox<M>): Promise<void> {
    const { clock, onAttempt, onForgotten } = this.#options
    const { attempts } = message
    let attempt: Attempt = { attempts, nextAt: null, problem: null }
    let outcome: Outcome = 'sent'
    try {
      await outbox.send(message, Math.floor(clock.now() / 1000))
    } catch (err) {
      const pause = outbox.pauseAfter(attempts + 1, message)
      const nextAt = pause === null ? null : (clock.now() + pause) * 1000
      attempt = { attempts: attempts + 1, nextAt, problem: (err as Error).message }
      outcome = nextAt === null ? 'failed' : 'retried'
    }
    onAttempt(message, outcome, attempt)
    await outbox.note(message, attempt).catch(onForgotten)
  }
}
