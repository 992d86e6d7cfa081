/** Writes minutes into the store, sums hours, and removes what is old. */
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { hourly } from '../base/hourly.ts'
import { addBackendEvents } from '../store/backend-events.ts'
import { addBackendMinutes, expireBackendHistory, sumBackendHours } from '../store/backend-minutes.ts'
import { transact } from '../store/database.ts'
import type { BackendEvent, MinutePart } from '../store/history-columns.ts'
import type { Store } from '../store/store.ts'

/** Minutes that wait while the store does not answer; older ones are lost. */
const MAX_WAITING = 10

interface Waiting {
  readonly minutes: readonly MinutePart[]
  readonly events: readonly BackendEvent[]
}

export class MinuteWriter {
  readonly #store: Store
  readonly #log: Logger
  #waiting: Waiting[] = []
  #writing: Promise<void> | undefined
  #isFailing = false

  constructor(store: Store, log: Logger) {
    this.#store = store
    this.#log = log
  }

  add(minutes: readonly MinutePart[], events: readonly BackendEvent[]): void {
    this.#waiting = [...this.#waiting, { minutes, events }].slice(-MAX_WAITING)
  }

  /** Never rejects. */
  write(): Promise<void> {
    this.#writing ??= this.#writeAll()
      .catch(err => {
        if (!this.#isFailing) this.#log.warn({ err }, 'the history of backends cannot be written: tried again later')
        this.#isFailing = true
      })
      .finally(() => {
        this.#writing = undefined
      })
    return this.#writing
  }

  async #writeAll(): Promise<void> {
    await this.#store.prepare()
    for (let part = this.#waiting[0]; part !== undefined; part = this.#waiting[0]) {
      const { minutes, events } = part
      await transact(this.#store, async session => {
        await addBackendMinutes(session, minutes)
        await addBackendEvents(session, events)
      })
      this.#waiting = this.#waiting.filter(one => one !== part)
    }
    this.#isFailing = false
  }
}

const EVERY_MS = 600_000
const HOUR_MS = 3_600_000
/** Minutes are kept for this number of hours. */
const MINUTE_HOURS = 48
/** Hours that are summed again, because another process may write their minutes late. */
const LATE_HOURS = 2

interface HoursParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  /** Days for which hours and events are kept. */
  readonly days: number
  readonly everyMs?: number
}

/** Sums hours now and every ten minutes. Returns a function that stops it. */
export function keepHours({ store, clock, log, days, everyMs = EVERY_MS }: HoursParts): () => Promise<void> {
  // Earlier processes may have ended before they have summed their last hours.
  let hours = MINUTE_HOURS - 1
  return hourly(
    async () => {
      await store.prepare()
      const hour = Math.floor(clock.now() / HOUR_MS)
      await sumBackendHours(store, hour - hours)
      hours = LATE_HOURS
      await expireBackendHistory(store, { minutes: (hour - MINUTE_HOURS) * 60, hours: (hour - days * 24) * 60 })
    },
    err => log.warn({ err }, 'hours of the history of backends cannot be summed: tried again later'),
    everyMs,
  )
}
