/** Removing what accounts have in the directory of files. */
import { join } from 'node:path'
import { readAbout } from './about.ts'
import { BATCH, deleteFolder, FILE, namesIn, OWNER } from './directory.ts'
import { ownerOf } from './owner.ts'

/**
 * Removes all files and batches of an account from the directory of a FileStore. Resolves when their bytes are off the
 * disk. `users`: owners of files that were stored without their account.
 */
export async function removeFilesOf(path: string, account: string, users: readonly string[]): Promise<void> {
  const owners = new Set(users.map(user => ownerOf(account, user)))
  for (const owner of await ownersIn(path)) {
    if (owners.has(owner) || (await accountOf(join(path, owner))) === account)
      await deleteFolder(path, join(path, owner))
  }
}

/**
 * Removes everything of accounts that do not exist. Files that were stored without their account stay. `existing`: ids
 * of accounts. It is called when the directory has been read, so that a new account is not taken for a removed one.
 */
export async function removeFilesOfOthers(path: string, existing: () => Promise<ReadonlySet<string>>): Promise<void> {
  const accounts = new Map<string, string>()
  for (const owner of await ownersIn(path)) {
    const account = await accountOf(join(path, owner))
    if (account !== undefined) accounts.set(owner, account)
  }
  if (accounts.size === 0) return
  const ids = await existing()
  for (const [owner, account] of accounts) if (!ids.has(account)) await deleteFolder(path, join(path, owner))
}

async function ownersIn(path: string): Promise<readonly string[]> {
  return (await namesIn(path)).filter(name => OWNER.test(name))
}

/** The account of an owner. undefined: there is no folder, or none was stored with its account. */
async function accountOf(path: string): Promise<string | undefined> {
  // Newer folders are more likely to have it.
  const names = (await namesIn(path)).filter(name => FILE.test(name) || BATCH.test(name))
  for (const name of names.sort().reverse()) {
    const about = await readAbout(join(path, name))
    if (typeof about?.account === 'string') return about.account
  }
  return undefined
}
