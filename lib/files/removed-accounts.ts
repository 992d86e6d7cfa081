/** Removes from the directory of files what accounts have there that were removed, from the configuration too. */
import type { Logger } from 'pino'
import type { Account } from '../accounts/access.ts'
import { hourly } from '../base/hourly.ts'
import type { Config } from '../config/config.ts'
import { removeFilesOfOthers } from './accounts.ts'

const EVERY_MS = 25_000
/** After each start and reload: the second time for what requests have stored that were running at the first. */
const ROUNDS = 2

interface Options {
  /** The accounts of the store. Nothing is removed while it rejects. */
  stored(): Promise<readonly Account[]>
  /** The current configuration. Without batches, files of removed accounts expire as other files do. */
  config(): Config
  readonly log: Logger
  readonly everyMs?: number
}

export interface RemovedAccounts {
  /** The configuration has changed. */
  changed(): void
  end(): Promise<void>
}

/** Begins at once. */
export function watchRemovedAccounts({ stored, config, log, everyMs = EVERY_MS }: Options): RemovedAccounts {
  let rounds = ROUNDS
  const existing = async () => {
    const kept = (await stored()).filter(({ erasedAt }) => erasedAt === undefined)
    return new Set([...config().accounts, ...kept].map(({ id }) => id))
  }
  const end = hourly(
    async () => {
      const { batches, files } = config()
      if (rounds === 0 || batches === undefined) return
      await removeFilesOfOthers(files.path, existing)
      rounds--
    },
    err => log.warn({ err }, 'files of removed accounts could not be removed: tried again later'),
    everyMs,
  )
  return {
    changed() {
      rounds = ROUNDS
    },
    end,
  }
}
