import { userInfo } from 'node:os'
import { pino } from 'pino'
import { type Account, OPERATOR_ACCOUNT } from '../accounts/access.ts'
import { knownAccounts } from '../admin/accounts.ts'
import type { AdminContext } from '../admin/context.ts'
import { systemClock } from '../base/clock.ts'
import { StartError } from '../base/start-error.ts'
import type { Config } from '../config/config.ts'
import { withServedModels } from '../config/served-models.ts'
import type { Session } from '../store/database.ts'
import { openStore, type Store } from '../store/store.ts'
import { listStoredModels } from '../store/stored-models.ts'
import { CommandError, unknownName } from './command.ts'

/**
 * Runs `work` with the configured store, and with the configuration that the gateway uses: it has the stored models.
 * Throws CommandError or StartError if the store cannot be used.
 */
export async function withStore<T>(config: Config, work: (store: Store, current: Config) => Promise<T>): Promise<T> {
  const store = await reachableStore(config)
  try {
    const stored = config.stored_models ? await listStoredModels(store) : []
    return await work(store, withServedModels(config, stored).config)
  } finally {
    await store.close()
  }
}

async function reachableStore(config: Config): Promise<Store> {
  if (config.store === 'sqlite::memory:')
    throw new CommandError(
      'the store of this configuration is in memory (sqlite::memory:): set `store` to a file or to PostgreSQL',
    )
  let store: Store | undefined
  try {
    store = await openStore(config.store, { log: pino({ level: 'silent' }) })
    // openStore() tolerates an unreachable PostgreSQL; prepare() does not.
    await store.prepare()
    return store
  } catch (error) {
    await store?.close()
    if (error instanceof StartError) throw error
    throw new CommandError(
      `the store cannot be used: ${(error as Error).message}. Check \`store\` in the configuration, and whether it runs`,
    )
  }
}

/** Completes a message about an account if there are no accounts. */
const NO_ACCOUNTS = 'there is none yet; `sluiceway keys create --new-account NAME` creates one'

/** The account with this id or name. Throws CommandError if there is none, or if several have the name. */
export async function findAccount(config: Config, store: Store, wanted: string): Promise<Account> {
  const accounts = await knownAccounts(config, store)
  const byId = accounts.find(({ id }) => id === wanted.toLowerCase())
  if (byId !== undefined) return byId
  const [account, ...others] = accounts.filter(({ name }) => name === wanted)
  if (account === undefined) {
    const names = accounts.map(({ name }) => name)
    throw unknownName('account', wanted, names, NO_ACCOUNTS)
  }
  if (others.length > 0) {
    const ids = [account, ...others].map(({ id }) => id).join(' or ')
    throw new CommandError(`several accounts are named '${wanted}': use the id, ${ids}`)
  }
  return account
}

/** The id of the account that a filter names. The requests of `operator` are those of the gateway itself. */
export async function filteredAccount(
  config: Config,
  store: Store,
  wanted: string | undefined,
): Promise<string | undefined> {
  return wanted === undefined || wanted === OPERATOR_ACCOUNT ? wanted : (await findAccount(config, store, wanted)).id
}

/** The account that a command names, or all accounts. */
export async function listedAccounts(
  config: Config,
  store: Store,
  wanted: string | undefined,
): Promise<readonly Account[]> {
  return wanted === undefined ? knownAccounts(config, store) : [await findAccount(config, store, wanted)]
}

/** The context of an operation; the audit log shows who runs the command. */
export function contextOf(config: Config, store: Session): AdminContext {
  return { store, config, actor: { name: `command line (${userName()})`, address: null }, now: systemClock.micros() }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // In a container the user may have no name.
    return String(process.getuid?.() ?? 'unknown')
  }
}
