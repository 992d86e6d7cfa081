/** The audit log: changes by operators and members, sign-ins, sign-outs. A change and its entry are one transaction. */
import type { Selectable } from 'kysely'
import { uuidv7 } from '../base/ids.ts'
import { type Json, type JsonObject, parseJson } from '../base/json.ts'
import { toIso } from '../base/time.ts'
import type { Database, Session } from './database.ts'
import { OIDC_OPERATOR } from './operator-sessions.ts'

/** The person or program that makes a change. */
export interface Actor {
  /** `operator alice (op_1a2b3c4d5e6f)`, `command line (root)`, `console alice` */
  readonly name: string
  /** IP address; null: not by the operators' API. */
  readonly address: string | null
}

/** A user of the console. Without an address, because only the server knows the client's. */
export function consoleActor(user: string): Actor {
  return { name: `console ${user}`, address: null }
}

export interface Change {
  /** For example `key.create`. */
  readonly action: string
  readonly target: string
  /** undefined: the target belongs to no account. */
  readonly account?: string | undefined
  /** Without secrets, as `after`. undefined: the target did not exist. */
  readonly before?: JsonObject | undefined
  /** undefined: the target no longer exists. */
  readonly after?: JsonObject | undefined
}

export interface AuditFilter {
  readonly account?: string | undefined
  /** The actor of an entry, or only the name: `alice`. */
  readonly actor?: string | undefined
  readonly action?: string | undefined
  /** Not empty. */
  readonly targets?: readonly string[] | undefined
  /** What an entry has as `after`, or as `before` if it has no `after`. */
  readonly change?: JsonObject | undefined
  /** Microseconds since the epoch, as `to`. `to` is exclusive. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** Adds an entry. To be called in the transaction of the change. `now`: microseconds since the epoch. */
export async function appendAudit({ db }: Session, actor: Actor, change: Change, now: number): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({
      id: uuidv7(Math.floor(now / 1000)),
      created_at: now,
      actor: actor.name,
      address: actor.address,
      action: change.action,
      target: change.target,
      account_id: change.account ?? null,
      before_change: asText(change.before),
      after_change: asText(change.after),
    })
    .execute()
}

/** Entries as JSON, newest first. `cursor`: id of the last entry of the previous page. */
export async function listAudit(
  session: Session,
  filter: AuditFilter,
  cursor: string | undefined,
  limit: number,
): Promise<{ readonly entries: JsonObject[]; readonly has_more: boolean; readonly cursor: string | null }> {
  let query = session.db.selectFrom('audit_log').selectAll()
  if (filter.account !== undefined) query = query.where('account_id', '=', filter.account)
  if (filter.actor !== undefined) query = query.where('actor', 'in', await actorsNamed(session, filter.actor))
  if (filter.action !== undefined) query = query.where('action', '=', filter.action)
  if (filter.targets !== undefined) query = query.where('target', 'in', filter.targets)
  if (filter.change !== undefined) {
    const text = JSON.stringify(filter.change)
    query = query.where(({ fn }) => fn.coalesce('after_change', 'before_change'), '=', text)
  }
  if (filter.from !== undefined) query = query.where('created_at', '>=', filter.from)
  if (filter.to !== undefined) query = query.where('created_at', '<', filter.to)
  if (cursor !== undefined) query = query.where('id', '<', cursor)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  const hasMore = rows.length > limit
  return {
    entries: shown.map(entryJson),
    has_more: hasMore,
    cursor: hasMore ? shown.at(-1)!.id : null,
  }
}

/** `schemas/admin/audit-entry.json` */
export function entryJson(row: Selectable<Database['audit_log']>): JsonObject {
  return {
    id: row.id,
    created_at: toIso(row.created_at),
    actor: row.actor,
    address: row.address,
    action: row.action,
    target: row.target,
    account_id: row.account_id,
    before: parsed(row.before_change),
    after: parsed(row.after_change),
  }
}

/** All actors with this name. The index finds complete actors, but not parts of them. */
async function actorsNamed({ db }: Session, name: string): Promise<string[]> {
  const keys = await db.selectFrom('operator_keys').select('id').where('name', '=', name).limit(100).execute()
  const operators = [OIDC_OPERATOR, ...keys.map(({ id }) => id)].map(id => `operator ${name} (${id})`)
  return [name, consoleActor(name).name, `command line (${name})`, ...operators]
}

function asText(value: JsonObject | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

function parsed(text: string | null): Json {
  return text === null ? null : (parseJson(text) ?? null)
}
