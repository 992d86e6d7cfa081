/** Erasing a customer: everything that says who the people of an account were, and all that they have stored. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../base/json.ts'
import { toIso } from '../base/time.ts'
import type { Config } from '../config/config.ts'
import { fail } from '../errors/errors.ts'
import { removeFilesOf } from '../files/accounts.ts'
import { findAccount } from '../store/accounts.ts'
import { buryAccount, forgetPeople, isKnownAccount, usersOfAccount } from '../store/erasure.ts'
import { accountJson, refuseOfFile } from './accounts.ts'
import { type AdminContext, auditedInTurn } from './context.ts'

/** Removes from the disk what the account has stored there. `users`: all its users, also former ones. */
type EraseStored = (config: Config, accountId: string, users: readonly string[]) => Promise<void>

/** A room that stores content of customers has an entry here. */
const STORED: readonly EraseStored[] = [({ files }, accountId, users) => removeFilesOf(files.path, accountId, users)]

/** Every process refuses the keys and ends the requests of the account within this time (store/key-watch.ts). */
const SETTLE_MS = 2000

/**
 * Erases an account. Its id, totals and ledger stay. May be repeated: the second time, only what has failed or arrived
 * since then is erased, and the audit log gets no entry.
 */
export async function eraseAccount(context: AdminContext, wanted: string, settleMs = SETTLE_MS): Promise<JsonObject> {
  const { store, config, now } = context
  const id = wanted.toLowerCase()
  refuseOfFile(config, id, 'remove it there first')
  await auditedInTurn(context, async ({ store: session }) => {
    const account = await findAccount(session, id)
    if (account === undefined && !(await isKnownAccount(session, id)))
      fail('http_404', { problem: 'There is no account with this id.' })
    if (account?.erasedAt !== undefined) return { change: undefined, result: undefined }
    await buryAccount(session, id, now)
    // The log is append-only, so this entry has no name.
    const change = { action: 'account.erase', target: id, account: id, after: { id, erased_at: toIso(now) } }
    return { change, result: undefined }
  })
  await sleep(settleMs)
  const users = await usersOfAccount(store, id)
  for (const erase of STORED) await erase(config, id, users)
  await forgetPeople(store, id)
  return accountJson(context, (await findAccount(store, id))!)
}
