import { changeAccount, knownAccounts } from '../admin/accounts.ts'
import { eraseAccount } from '../admin/erase.ts'
import { isUuid } from '../base/ids.ts'
import { readConfig } from '../config/read.ts'
import { GatewayError } from '../errors/errors.ts'
import { CommandError, readArguments, required, runAction, UsageError, unknownName } from './command.ts'
import { print, tableOrCsv } from './output.ts'
import { contextOf, findAccount, withStore } from './store.ts'

export const usage = `Usage: sluiceway accounts list --config FILE [--csv]
       sluiceway accounts set --config FILE ACCOUNT --plan PLAN
       sluiceway accounts set --config FILE ACCOUNT --no-plan
       sluiceway accounts erase --config FILE ACCOUNT

Lists accounts, and changes the plans of those in the store. ACCOUNT is an id or a name. A running gateway applies
changes within seconds. \`sluiceway keys create --new-account\` creates accounts. To change an account of the file, edit
the file.

erase cannot be undone. Running gateways refuse the keys of the account and end its requests; its files, members and
names are removed; its requests keep no user and no tags. Ids, totals and the ledger stay. Run it where the directory of
uploaded files is. Remove an account of the file there first; its id is needed then.
`

const OPTIONS = {
  config: { type: 'string', short: 'c' },
  csv: { type: 'boolean' },
  plan: { type: 'string' },
  'no-plan': { type: 'boolean' },
} as const

export function run(argv: readonly string[]): Promise<number> {
  return runAction(argv, { list, set, erase })
}

async function list(argv: readonly string[]): Promise<number> {
  const { values } = readArguments(argv, { config: OPTIONS.config, csv: OPTIONS.csv })
  const file = required(values.config, '--config FILE')
  const config = readConfig(file, process.env)
  return withStore(config, async store => {
    const rows = (await knownAccounts(config, store)).map(({ id, name, kind, plan = '', erasedAt }) => {
      const isInFile = config.accounts.some(account => account.id === id)
      return [id, name, kind, plan, isInFile ? `in ${file}` : erasedAt === undefined ? 'in the store' : 'erased']
    })
    return print(tableOrCsv(['ACCOUNT', 'NAME', 'KIND', 'PLAN', 'WHERE'], rows, values.csv))
  })
}

async function set(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, OPTIONS, 1)
  const file = required(values.config, '--config FILE')
  const wanted = required(positionals[0], 'ACCOUNT')
  const { plan } = values
  const isNone = values['no-plan'] === true
  if (plan === undefined && !isNone) throw new UsageError('one of --plan and --no-plan is needed')
  if (plan !== undefined && isNone) throw new UsageError('--plan and --no-plan exclude each other')
  const config = readConfig(file, process.env)
  if (plan !== undefined && !Object.hasOwn(config.plans, plan))
    throw unknownName('plan', plan, Object.keys(config.plans))
  return withStore(config, async store => {
    const { id, name } = await findAccount(config, store, wanted)
    if (config.accounts.some(account => account.id === id))
      throw new CommandError(`account ${name} is in ${file}: change its plan there`)
    await changeAccount(contextOf(config, store), id, { plan: plan ?? null })
    return print(plan === undefined ? `${name} has no plan any more.\n` : `${name} has the plan ${plan}.\n`)
  })
}

async function erase(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, { config: OPTIONS.config }, 1)
  const file = required(values.config, '--config FILE')
  const wanted = required(positionals[0], 'ACCOUNT')
  const config = readConfig(file, process.env)
  return withStore(config, async store => {
    // An account that was in the file may have no row in the store.
    const { id, name } = isUuid(wanted) ? { id: wanted, name: wanted } : await findAccount(config, store, wanted)
    try {
      await eraseAccount(contextOf(config, store), id)
    } catch (thrown) {
      if (thrown instanceof GatewayError && thrown.status < 500) throw new CommandError(thrown.message)
      throw thrown
    }
    return print(`${name} is erased.\n`)
  })
}
