import type { Account } from '../accounts/access.ts'
import { dropMember, membersOf } from '../admin/accounts.ts'
import type { Config } from '../config/config.ts'
import { readConfig } from '../config/read.ts'
import { listMembers } from '../store/accounts.ts'
import type { Store } from '../store/store.ts'
import { suggestion } from '../text/nearest.ts'
import { CommandError, readArguments, required, runAction } from './command.ts'
import { print, tableOrCsv } from './output.ts'
import { contextOf, findAccount, listedAccounts, withStore } from './store.ts'

export const usage = `Usage: sluiceway members list --config FILE [--csv] [ACCOUNT]
       sluiceway members remove --config FILE ACCOUNT USER

Lists and removes members of accounts. ACCOUNT is an id or a name, in the file or in the store. \`sluiceway keys create
--role\` adds members.

remove revokes the member's keys in the store and ends the user's console sessions. A running gateway applies this
within seconds. Usage and request records are kept; GET /v1/usage/team shows the user with \`removed: true\`.
`

const OPTIONS = { config: { type: 'string', short: 'c' } } as const

export function run(argv: readonly string[]): Promise<number> {
  return runAction(argv, { list, remove })
}

async function list(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, { ...OPTIONS, csv: { type: 'boolean' } }, 1)
  const file = required(values.config, '--config FILE')
  const config = readConfig(file, process.env)
  return withStore(config, async store => {
    const rows: string[][] = []
    for (const { id: accountId, name } of await listedAccounts(config, store, positionals[0])) {
      const configured = config.accounts.find(({ id }) => id === accountId)?.members ?? []
      for (const { user, role } of configured) rows.push([user, name, role, `in ${file}`])
      for (const { user, role, removed, group } of await listMembers(store, accountId)) {
        if (configured.some(member => member.user === user)) continue
        rows.push([user, name, role, removed ? 'removed' : group === undefined ? 'member' : `by group ${group}`])
      }
    }
    return print(tableOrCsv(['USER', 'ACCOUNT', 'ROLE', 'STATE'], rows, values.csv))
  })
}

async function remove(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, OPTIONS, 2)
  const file = required(values.config, '--config FILE')
  const wanted = required(positionals[0], 'ACCOUNT')
  const user = required(positionals[1], 'USER')
  const config = readConfig(file, process.env)
  return withStore(config, async store => {
    const account = await findAccount(config, store, wanted)
    refuseConfigured(account, user, config, file)
    if (!(await dropMember(contextOf(config, store), account.id, user))) {
      throw await notAMember(account, user, config, store)
    }
    return print(`'${user}' is no longer a member of ${account.name}. The user's keys of it are revoked.\n`)
  })
}

/** Refuses to remove a member whose membership or key is in the file: it would stay valid. */
function refuseConfigured({ id, name }: Account, user: string, { accounts }: Config, file: string): void {
  const configured = accounts.find(account => account.id === id)
  if (configured?.members.some(member => member.user === user)) {
    throw new CommandError(`'${user}' is a member of ${name} in ${file}: remove the member and the user's keys there`)
  }
  const key = configured?.keys.find(one => one.user === user)
  if (key !== undefined)
    throw new CommandError(`key '${key.id}' in ${file} belongs to '${user}': remove it there first`)
}

async function notAMember({ id, name }: Account, user: string, config: Config, store: Store): Promise<CommandError> {
  const members = (await membersOf(config, store, id)).map(member => member.user)
  return new CommandError(`'${user}' is not a member of ${name}${suggestion(user, members)}`)
}
