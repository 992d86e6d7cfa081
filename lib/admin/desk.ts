/** What every operation of operators works with, whether it comes by the API or by a command. */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { type Actor, appendAudit, type Change } from '../store/audit.ts'
import { type Session, transact } from '../store/database.ts'
import { noteKeyChange } from '../store/keys.ts'

export interface Desk {
  readonly store: Session
  readonly config: Config
  readonly actor: Actor
  /** Microseconds since the epoch. */
  readonly now: number
  /** Gets a line for each change; undefined: in commands, whose output is for people. */
  readonly log?: Logger | undefined
}

/** Makes a change together with its entry in the audit log: both or neither. A change that is undefined leaves no entry. */
export async function audited<T>(
  { store, actor, now, log }: Desk,
  work: (session: Session) => Promise<{ readonly change: Change | undefined; readonly result: T }>,
): Promise<T> {
  const { change, result } = await transact(store, async session => {
    const done = await work(session)
    if (done.change !== undefined) await appendAudit(session, actor, done.change, now)
    return done
  })
  if (change !== undefined) log?.info({ audit: { ...change, actor: actor.name, address: actor.address } }, 'audit')
  return result
}

/**
 * The same for changes of accounts and keys, which are made one after the other in all processes: what `work` reads is what it
 * changes, and a name that it finds free stays free.
 */
export function auditedInTurn<T>(
  desk: Desk,
  work: (desk: Desk) => Promise<{ readonly change: Change | undefined; readonly result: T }>,
): Promise<T> {
  return audited(desk, async session => {
    // Locks the row of the counter until the transaction ends.
    await noteKeyChange(session)
    return work({ ...desk, store: session })
  })
}

/** A change, or undefined where nothing is different: it leaves no entry. */
export function changeOf(change: Change): Change | undefined {
  return JSON.stringify(change.before) === JSON.stringify(change.after) ? undefined : change
}
