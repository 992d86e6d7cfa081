import type { Account } from '../accounts/access.ts'
import { addCredits, balanceCents } from '../admin/credits.ts'
import type { Config } from '../config/config.ts'
import { readConfig } from '../config/read.ts'
import type { Store } from '../store/store.ts'
import { CommandError, readArguments, required, runAction, UsageError } from './command.ts'
import { print } from './output.ts'
import { contextOf, findAccount, withStore } from './store.ts'

export const usage = `Usage: sluiceway credits add --config FILE [--note TEXT] [--yes] ACCOUNT CENTS
       sluiceway credits show --config FILE ACCOUNT

Shows or changes the balance of a prepaid account. ACCOUNT is an id or a name, in the file or in the store. CENTS is a
whole number; to reduce the balance, write -- before it: \`credits add --config FILE acme -- -500\`.

  --note TEXT  the reason, for the ledger
  --yes        reduce the balance even if it becomes negative
`

/** Maximum length of a note. */
const MAX_NOTE = 500

const ADD_OPTIONS = {
  config: { type: 'string', short: 'c' },
  note: { type: 'string' },
  yes: { type: 'boolean' },
} as const

export function run(argv: readonly string[]): Promise<number> {
  return runAction(argv, { add, show })
}

async function add(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, ADD_OPTIONS, 2)
  const [account, amount] = positionals
  const cents = centsOf(required(amount, 'CENTS'))
  const { note, yes = false } = values
  if (note !== undefined && (note === '' || note.length > MAX_NOTE))
    throw new UsageError(`--note must have 1 to ${MAX_NOTE} characters`)
  return withAccount(values.config, account, async (config, store, target) => {
    const after = ((await balanceCents({ store }, target)) ?? 0) + cents
    if (cents < 0 && after < 0 && !yes) {
      throw new CommandError(
        `the balance of ${target.name} would be ${amountText(after, config)}: add --yes if that is meant`,
      )
    }
    await addCredits(contextOf(config, store), target.id, { amount_cents: cents, ...(note !== undefined && { note }) })
  })
}

function show(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, { config: { type: 'string', short: 'c' } }, 1)
  return withAccount(values.config, positionals[0], async () => {})
}

/** Runs `change` and prints the balance after it. */
function withAccount(
  file: string | undefined,
  name: string | undefined,
  change: (config: Config, store: Store, account: Account) => Promise<void>,
): Promise<number> {
  const config = readConfig(required(file, '--config FILE'), process.env)
  const wanted = required(name, 'ACCOUNT')
  return withStore(config, async store => {
    const account = await findAccount(config, store, wanted)
    if (account.creditsCents === undefined) {
      throw new CommandError(`account ${account.name} is not prepaid: set its credits_cents first, 0 is enough`)
    }
    await change(config, store, account)
    const cents = (await balanceCents({ store }, account)) ?? 0
    return print(`${account.name}: ${amountText(cents, config)}\n`)
  })
}

/** `750 cents (7.50 USD)` */
function amountText(cents: number, { currency }: Config): string {
  return `${cents} cents (${(cents / 100).toFixed(2)} ${currency})`
}

/** Takes at most nine digits, so that the amount in micro-cents is below 2^53. */
function centsOf(text: string): number {
  if (!/^-?\d{1,9}$/.test(text) || Number(text) === 0) {
    throw new UsageError('CENTS must be a whole number of cents, not 0 and at most 999999999')
  }
  return Number(text)
}
