/** Rounds that find and send messages. Of all processes that share the store, the one with the lease does this. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { hourly } from '../base/hourly.ts'
import { leadAlerts, leaveAlerts, type Sender } from '../store/alerts.ts'
import type { Store } from '../store/store.ts'
import type { Deliveries } from './deliveries.ts'
import type { Message, Outbox } from './outbox.ts'

interface Round<M extends Message> {
  readonly outbox: Outbox<M>
  /** Finds new messages, in the process that sends. False: the next round continues. */
  find(): Promise<boolean>
}

interface RoundsOptions<M extends Message> {
  readonly store: Store
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  readonly sender: Sender
  readonly deliveries: Pick<Deliveries<M>, 'begin' | 'settled'>
  /** Text of the log when rounds begin to fail. */
  readonly failure: string
  /** Pause between two rounds. Default: a second. */
  readonly everyMs?: number | undefined
  /** Called in every process. undefined: nothing is configured. `now`: milliseconds since the epoch. */
  begin(now: number): Round<M> | undefined
}

const EVERY_MS = 1000
/** Every fifth round finds messages, and the next one too if find() was not complete; the others only send. */
const FIND_ROUNDS = 5
/** Another process may send after this time without a round in this process. */
const LEASE_MS = 30_000

/** Returns a function that stops, and lets another process send. */
export function startRounds<M extends Message>(options: RoundsOptions<M>): () => Promise<void> {
  const { store, clock, log, sender, deliveries, failure, everyMs = EVERY_MS } = options
  const holder = randomUUID()
  let isFailing = false
  let isComplete = true
  let rounds = 0

  const round = async () => {
    const now = clock.now()
    const current = options.begin(now)
    if (current === undefined) return
    await store.prepare()
    if (!(await leadAlerts(store, holder, now * 1000, (now + LEASE_MS) * 1000, sender))) return
    if (rounds++ % FIND_ROUNDS === 0 || !isComplete) isComplete = await current.find()
    await deliveries.begin(current.outbox, now * 1000)
    isFailing = false
  }

  const end = hourly(
    round,
    err => {
      if (!isFailing) log.warn({ err }, failure)
      isFailing = true
    },
    everyMs,
  )
  return async () => {
    await end()
    await deliveries.settled()
    if (rounds > 0) await leaveAlerts(store, holder, sender).catch(() => {})
  }
}
