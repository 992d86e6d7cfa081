/** Alerts that customers set, and an outbox of their events. Times are microseconds since the epoch. */
import type { Selectable } from 'kysely'
import { uuidv7 } from '../base/ids.ts'
import type { CustomerAlertTables } from './customer-alert-tables.ts'
import { type Session, transact } from './database.ts'

export type CustomerAlert = Selectable<CustomerAlertTables['customer_alerts']>

/** Alerts of one key, or of one account. */
export const MAX_ALERTS = 5
/** Events of all alerts that may wait. */
const MAX_WAITING = 10_000
/** A customer may send a test event once in this time. */
const TEST_PAUSE = 60_000_000

type NewAlert = Omit<CustomerAlert, 'slot' | 'crossed' | 'event_at' | 'tested_at' | 'attempt_at' | 'problem'>

/** `repeated`: there is an alert with this id. `too_many`: the key or account has MAX_ALERTS. */
export async function insertAlert(session: Session, alert: NewAlert): Promise<'repeated' | 'too_many' | 'inserted'> {
  const { db } = session
  for (let slot = 1; slot <= MAX_ALERTS; slot++) {
    if ((await findAlert(session, alert.id)) !== undefined) return 'repeated'
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('customer_alerts')
      .values({ ...alert, slot, crossed: '', event_at: null, tested_at: null, attempt_at: null, problem: null })
      .onConflict(conflict => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 1n) return 'inserted'
  }
  return 'too_many'
}

export function findAlert({ db }: Session, id: string): Promise<CustomerAlert | undefined> {
  return db.selectFrom('customer_alerts').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The alerts of these accounts and of these keys, oldest first. */
export async function alertsOf(
  { db }: Session,
  accounts: readonly string[],
  keys: readonly string[],
): Promise<CustomerAlert[]> {
  if (accounts.length + keys.length === 0) return []
  return db
    .selectFrom('customer_alerts')
    .selectAll()
    .where(({ and, eb, or }) =>
      or([
        ...(accounts.length === 0 ? [] : [and([eb('account_id', 'in', accounts), eb('key_id', '=', '')])]),
        ...(keys.length === 0 ? [] : [eb('key_id', 'in', keys)]),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** At most `limit` alerts after the id `after`, by id. */
export function alertPage({ db }: Session, after: string, limit: number): Promise<CustomerAlert[]> {
  return db.selectFrom('customer_alerts').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute()
}

/** Removes alerts with their events. False: there were none. */
export function deleteAlerts(
  session: Session,
  column: 'id' | 'key_id' | 'account_id',
  value: string,
): Promise<boolean> {
  return transact(session, async ({ db }) => {
    const ids = db.selectFrom('customer_alerts').select('id').where(column, '=', value)
    await db.deleteFrom('customer_alert_events').where('alert_id', 'in', ids).execute()
    const { numDeletedRows } = await db.deleteFrom('customer_alerts').where(column, '=', value).executeTakeFirst()
    return numDeletedRows > 0n
  })
}

export interface NewEvent {
  readonly type: string
  /** JSON */
  readonly body: string
}

/**
 * Replaces `crossed` of an alert, and raises the event if there is one. False: another process has changed the alert,
 * or too many events wait; then nothing is changed.
 */
export function changeCrossed(
  session: Session,
  alert: Pick<CustomerAlert, 'id' | 'crossed' | 'event_at'>,
  crossed: string,
  event: NewEvent | undefined,
  now: number,
): Promise<boolean> {
  return transact(session, async own => {
    if (event !== undefined && (await isFull(own))) return false
    const { numUpdatedRows } = await own.db
      .updateTable('customer_alerts')
      .set({ crossed, ...(event !== undefined && { event_at: now }) })
      .where('id', '=', alert.id)
      .where('crossed', '=', alert.crossed)
      .where('event_at', alert.event_at === null ? 'is' : '=', alert.event_at)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    if (event !== undefined) await queue(own, alert.id, event, now)
    return true
  })
}

/** Raises a test event. `too_soon`: one was raised a short time ago. `full`: too many events wait. */
export function raiseTest(
  session: Session,
  id: string,
  event: NewEvent,
  now: number,
): Promise<'raised' | 'too_soon' | 'full'> {
  return transact(session, async own => {
    if (await isFull(own)) return 'full'
    const { numUpdatedRows } = await own.db
      .updateTable('customer_alerts')
      .set({ tested_at: now })
      .where('id', '=', id)
      .where(({ eb, or }) => or([eb('tested_at', 'is', null), eb('tested_at', '<=', now - TEST_PAUSE)]))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return 'too_soon'
    await queue(own, id, event, now)
    return 'raised'
  })
}

async function isFull({ db }: Session): Promise<boolean> {
  const { waiting } = await db
    .selectFrom('customer_alert_events')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .executeTakeFirstOrThrow()
  return Number(waiting) >= MAX_WAITING
}

async function queue({ db }: Session, alert_id: string, event: NewEvent, now: number): Promise<void> {
  const webhook_id = `msg_${uuidv7(Math.floor(now / 1000))}`
  await db
    .insertInto('customer_alert_events')
    .values({ ...event, webhook_id, alert_id, attempts: 0, next_at: now })
    .execute()
}

export interface DueEvent {
  readonly alertId: string
  readonly type: string
  /** Every attempt has this id. */
  readonly webhookId: string
  readonly body: string
  readonly attempts: number
  readonly url: string
  readonly secret: string
}

/** At most `limit` events whose next attempt is due. Those with fewer attempts are first, then the oldest. */
export function dueEvents({ db }: Session, now: number, limit: number): Promise<DueEvent[]> {
  return db
    .selectFrom('customer_alert_events as e')
    .innerJoin('customer_alerts as a', 'a.id', 'e.alert_id')
    .select(['e.alert_id as alertId', 'e.type', 'e.webhook_id as webhookId', 'e.body', 'e.attempts'])
    .select(['a.url', 'a.secret'])
    .where('e.next_at', '<=', now)
    .orderBy('e.attempts')
    .orderBy('e.next_at')
    .orderBy('e.webhook_id')
    .limit(limit)
    .execute()
}

/** Stores an attempt. `nextAt`: time of the next one. null: the event was sent or given up, and is removed. */
export async function noteEventAttempt(
  session: Session,
  { alertId, webhookId }: Pick<DueEvent, 'alertId' | 'webhookId'>,
  attempt: { readonly attempts: number; readonly nextAt: number | null; readonly problem: string | null },
  now: number,
): Promise<void> {
  const { attempts, nextAt, problem } = attempt
  await transact(session, async ({ db }) => {
    await (nextAt === null
      ? db.deleteFrom('customer_alert_events').where('webhook_id', '=', webhookId).execute()
      : db
          .updateTable('customer_alert_events')
          .set({ attempts, next_at: nextAt })
          .where('webhook_id', '=', webhookId)
          .execute())
    await db.updateTable('customer_alerts').set({ attempt_at: now, problem }).where('id', '=', alertId).execute()
  })
}

/** The next attempt for each of these alerts that has an event which waits. */
export async function nextAttempts({ db }: Session, alerts: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (alerts.length === 0) return new Map()
  const rows = await db
    .selectFrom('customer_alert_events')
    .select('alert_id')
    .select(({ fn }) => fn.min<number>('next_at').as('next_at'))
    .where('alert_id', 'in', alerts)
    .groupBy('alert_id')
    .execute()
  return new Map(rows.map(({ alert_id, next_at }) => [alert_id, Number(next_at)]))
}
