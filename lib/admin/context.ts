/** The context of operators' operations, and changes that are recorded in the audit log. */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { type Actor, appendAudit, type Change } from '../store/audit.ts'
import { type Session, transact } from '../store/database.ts'
import { inTurn } from '../store/key-changes.ts'
import { accountNames } from './account-names.ts'

/** Passed to every operation, by the operators' API and by commands. */
export interface AdminContext {
  readonly store: Session
  readonly config: Config
  readonly actor: Actor
  /** Microseconds since the epoch. */
  readonly now: number
  /** Gets a line for each change. undefined in commands, which print to the terminal. */
  readonly log?: Logger | undefined
}

/** What an operation has done. `change` undefined: nothing was changed, so the audit log gets no entry. */
interface Work<T> {
  readonly change: Change | undefined
  readonly result: T
}

/** Makes a change and adds its entry to the audit log in one transaction. */
export async function audited<T>(
  { store, config, actor, now, log }: AdminContext,
  work: (session: Session) => Promise<Work<T>>,
): Promise<T> {
  const { change, result } = await transact(store, async session => {
    const done = await work(session)
    if (done.change !== undefined) await appendAudit(session, actor, done.change, now)
    return done
  })
  if (change === undefined || log === undefined) return result
  const { account } = change
  const names = await accountNames({ config, store }, account === undefined ? [] : [account])
  const named = { ...change, account_name: names.get(account ?? ''), actor: actor.name, address: actor.address }
  log.info({ audit: named }, 'audit')
  return result
}

/** audited() for accounts and keys: one change at a time among all processes (inTurn). */
export function auditedInTurn<T>(context: AdminContext, work: (context: AdminContext) => Promise<Work<T>>): Promise<T> {
  return audited(context, session => inTurn(session, store => work({ ...context, store })))
}

export function changeOf(change: Change): Change | undefined {
  return JSON.stringify(change.before) === JSON.stringify(change.after) ? undefined : change
}
