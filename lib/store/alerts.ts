/** Alerts for operators: an outbox, and the lease of its sender. Times are microseconds since the epoch. */
import { uuidv7 } from '../base/ids.ts'
import type { BatchRow } from './batches.ts'
import { type Session, transact } from './database.ts'

export interface NewAlert {
  /** Type, subject, threshold and period of the alert. Names are unique. */
  readonly name: string
  readonly type: string
  /** JSON */
  readonly body: string
  /** When the name may be used again. undefined: after keepAlerts() or forgetAlerts() has removed the alert. */
  readonly expiresAt: number | undefined
}

export interface DueAlert {
  readonly name: string
  readonly type: string
  /** Every attempt has this id. */
  readonly webhookId: string
  readonly body: string
  readonly attempts: number
}

/** Maximum number of alerts that wait to be sent. Further ones are dropped. */
const MAX_WAITING = 1000

/** The leases of the processes that send: alerts for operators, and those of customers. */
export type Sender = 'alert_sender' | 'customer_alert_sender'

/** Acquires or renews the lease until `until`. False: another process has it. */
export async function leadAlerts(
  { db }: Session,
  holder: string,
  now: number,
  until: number,
  sender: Sender,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable(sender)
    .set({ holder, until })
    .where('id', '=', 1)
    .where(({ eb, or }) => or([eb('holder', '=', holder), eb('until', '<', now)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Releases the lease, so that another process may send at once. */
export async function leaveAlerts({ db }: Session, holder: string, sender: Sender): Promise<void> {
  await db.updateTable(sender).set({ until: 0 }).where('holder', '=', holder).execute()
}

/** Names per statement. */
const BATCH = 500

/** Adds the alerts with new names. Returns the number of dropped ones. */
export async function raiseAlerts(session: Session, alerts: readonly NewAlert[], now: number): Promise<number> {
  let dropped = 0
  for (let at = 0; at < alerts.length; at += BATCH) dropped += await raise(session, alerts.slice(at, at + BATCH), now)
  return dropped
}

function raise(session: Session, alerts: readonly NewAlert[], now: number): Promise<number> {
  return transact(session, async ({ db }) => {
    const names = alerts.map(({ name }) => name)
    const known = new Set(
      (await db.selectFrom('alerts').select('name').where('name', 'in', names).execute()).map(({ name }) => name),
    )
    const fresh = alerts.filter(({ name }) => !known.has(name))
    if (fresh.length === 0) return 0
    const { waiting } = await db
      .selectFrom('alerts')
      .select(({ fn }) => fn.countAll<number>().as('waiting'))
      .where('next_at', 'is not', null)
      .executeTakeFirstOrThrow()
    const added = fresh.slice(0, Math.max(0, MAX_WAITING - Number(waiting)))
    if (added.length > 0) {
      const rows = added.map(({ name, type, body, expiresAt }) => ({
        ...{ name, type, body, attempts: 0, created_at: now, next_at: now, expires_at: expiresAt ?? null },
        webhook_id: `msg_${uuidv7(Math.floor(now / 1000))}`,
      }))
      await db
        .insertInto('alerts')
        .values(rows)
        .onConflict(conflict => conflict.doNothing())
        .execute()
    }
    return fresh.length - added.length
  })
}

/** Removes the alerts of this type that have no expiry and are not in `names`, because their condition is over. */
export async function keepAlerts(session: Session, type: string, names: readonly string[]): Promise<void> {
  const kept = new Set(names)
  const known = await raisedAlerts(session, type)
  await forgetAlerts(
    session,
    known.filter(name => !kept.has(name)),
  )
}

/** Sorted names of the alerts of this type that have no expiry: at most `limit`, after the name `after`. */
export async function raisedAlerts({ db }: Session, type: string, after = '', limit?: number): Promise<string[]> {
  const query = db
    .selectFrom('alerts')
    .select('name')
    .where('name', '>', after)
    .where('type', '=', type)
    .where('expires_at', 'is', null)
    .orderBy('name')
  const rows = await (limit === undefined ? query : query.limit(limit)).execute()
  return rows.map(({ name }) => name)
}

/** Removes alerts, so that their names may be used again. */
export async function forgetAlerts({ db }: Session, names: readonly string[]): Promise<void> {
  for (let at = 0; at < names.length; at += BATCH)
    await db
      .deleteFrom('alerts')
      .where('name', 'in', names.slice(at, at + BATCH))
      .execute()
}

export async function expireAlerts({ db }: Session, now: number): Promise<void> {
  await db.deleteFrom('alerts').where('expires_at', '<', now).execute()
}

/** At most `limit` alerts whose next attempt is due. Those with fewer attempts are first, then the oldest. */
export async function dueAlerts({ db }: Session, now: number, limit: number): Promise<DueAlert[]> {
  return db
    .selectFrom('alerts')
    .select(['name', 'type', 'webhook_id as webhookId', 'body', 'attempts'])
    .where('next_at', '<=', now)
    .orderBy('attempts')
    .orderBy('next_at')
    .orderBy('name')
    .limit(limit)
    .execute()
}

/** Stores an attempt. `nextAt`: time of the next attempt. null: the alert was sent or given up. */
export async function noteAttempt(
  { db }: Session,
  name: string,
  attempts: number,
  nextAt: number | null,
): Promise<void> {
  await db.updateTable('alerts').set({ attempts, next_at: nextAt }).where('name', '=', name).execute()
}

const ENDED = ['failed', 'completed', 'expired', 'cancelled']

/** At most `limit` batches that have ended and are not announced, oldest first. */
export function endedBatches({ db }: Session, limit: number): Promise<BatchRow[]> {
  const ended = db.selectFrom('batches').selectAll().where('announced', '=', 0).where('status', 'in', ENDED)
  return ended.orderBy('id').limit(limit).execute()
}

/** Raises the alert of each batch, once, or none if it is undefined. False: too many wait, so some are left. */
export async function announceBatches(
  session: Session,
  alerts: ReadonlyMap<string, NewAlert | undefined>,
  now: number,
): Promise<boolean> {
  const ids = [...alerts.keys()]
  return transact(session, async own => {
    const due = ids.filter(id => alerts.get(id) !== undefined)
    const dropped = await raiseAlerts(
      own,
      due.map(id => alerts.get(id)!),
      now,
    )
    const left = new Set(due.slice(due.length - dropped))
    const announced = ids.filter(id => !left.has(id))
    for (let at = 0; at < announced.length; at += BATCH)
      await own.db
        .updateTable('batches')
        .set({ announced: 1 })
        .where('id', 'in', announced.slice(at, at + BATCH))
        .execute()
    return dropped === 0
  })
}
