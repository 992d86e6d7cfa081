import { randomUUID } from 'node:crypto'
import type { Account } from '../accounts/keys.ts'
import { systemClock } from '../base/clock.ts'
import { suggestion } from '../base/nearest.ts'
import type { AccountConfig, Config, KeyConfig } from '../config/config.ts'
import { readConfig } from '../config/read.ts'
import { type AccountFields, type Role, saveAccount, saveMember } from '../store/accounts.ts'
import { createKey, listKeys, revokeKey } from '../store/keys.ts'
import type { Store } from '../store/store.ts'
import { CommandError, readArguments, required, UsageError } from './command.ts'
import { table } from './output.ts'
import { findAccount, knownAccounts, membersOf, withStore } from './store.ts'

export const usage = `Usage: sluiceway keys create --config FILE --account ACCOUNT [OPTION]…
       sluiceway keys create --config FILE --new-account NAME [OPTION]…
       sluiceway keys list --config FILE [--account ACCOUNT]
       sluiceway keys revoke --config FILE KEY_ID

Manages API keys in the store. A running gateway applies changes within seconds. ACCOUNT is an id or a name, in the
file or in the store.

create prints the secret on stdout, once: only its SHA-256 is stored.
  --user USER          the member that the key belongs to; a key without a user cannot upload files
  --role ROLE          add USER as a member first: owner, admin or member; default for a new account: owner
  --kind KIND          serverless, pass or dedicated; default: depends on the account
  --endpoint HOST      a dedicated endpoint that the key may use; repeat for more
  --new-account NAME   create an account in the store first
  --account-kind KIND  kind of the new account: serverless, enterprise or dedicated; default: serverless
  --plan PLAN          plan of the new account
  --credits CENTS      makes the new account prepaid, with this balance
`

const KEY_KINDS = ['serverless', 'pass', 'dedicated'] as const satisfies readonly KeyConfig['kind'][]
const ACCOUNT_KINDS = ['serverless', 'enterprise', 'dedicated'] as const satisfies readonly AccountConfig['kind'][]
const ROLES = ['owner', 'admin', 'member'] as const satisfies readonly Role[]

const OPTIONS = {
  config: { type: 'string', short: 'c' },
  account: { type: 'string' },
  user: { type: 'string' },
  role: { type: 'string' },
  kind: { type: 'string' },
  endpoint: { type: 'string', multiple: true },
  'new-account': { type: 'string' },
  'account-kind': { type: 'string' },
  plan: { type: 'string' },
  credits: { type: 'string' },
} as const

const OF_NEW_ACCOUNTS = ['account-kind', 'plan', 'credits'] as const satisfies readonly (keyof typeof OPTIONS)[]

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>['values']

/** The default kind of keys, by kind of account. */
const DEFAULT_KIND: Readonly<Record<AccountConfig['kind'], KeyConfig['kind']>> = {
  serverless: 'serverless',
  enterprise: 'pass',
  dedicated: 'dedicated',
}

export async function run(argv: readonly string[]): Promise<number> {
  const [action, ...rest] = argv
  if (action === 'create') return create(rest)
  if (action === 'list') return list(rest)
  if (action === 'revoke') return revoke(rest)
  throw new UsageError(
    action === undefined
      ? 'an action is needed: create, list or revoke'
      : `there is no action '${action}': use create, list or revoke`,
  )
}

async function create(argv: readonly string[]): Promise<number> {
  const { values } = readArguments(argv, OPTIONS)
  const config = readConfig(required(values.config, '--config FILE'), process.env)
  if ((values.account === undefined) === (values['new-account'] === undefined)) {
    throw new UsageError('one of --account and --new-account is needed')
  }
  checkUse(values)
  const fresh = values['new-account'] === undefined ? undefined : newAccount(values['new-account'], values, config)
  const endpoints = endpointsOf(values.endpoint ?? [], config)
  // The user of the first key owns the new account.
  const role = oneOf(ROLES, values.role, '--role') ?? (fresh === undefined ? undefined : 'owner')
  const wantedKind = oneOf(KEY_KINDS, values.kind, '--kind')
  const { user } = values

  return withStore(config, async store => {
    const now = systemClock.now() * 1000
    if (fresh !== undefined) await checkName(fresh.name, config, store)
    const account = fresh ?? (await findAccount(config, store, values.account!))
    const kind = wantedKind ?? DEFAULT_KIND[account.kind]
    if (kind === 'dedicated' && endpoints.length === 0) {
      throw new UsageError('a key of kind dedicated needs --endpoint HOST')
    }
    if (user !== undefined && role === undefined) await checkMember(user, account, config, store)
    if (fresh !== undefined) await saveAccount(store, fresh, now)
    if (user !== undefined && role !== undefined) await saveMember(store, account.id, user, role, now)
    const { id, secret } = await createKey(store, config.brand, { account_id: account.id, user, kind, endpoints }, now)
    process.stdout.write(`${secret}\n`)
    process.stderr.write(`Key ${id} of account ${account.name} (${account.id}). Its secret is not shown again.\n`)
    return 0
  })
}

/** Rejects options that would have no effect. */
function checkUse(values: Values): void {
  if (values.role !== undefined && values.user === undefined) throw new UsageError('--role needs --user USER')
  if (values['new-account'] !== undefined) return
  const stray = OF_NEW_ACCOUNTS.find(name => values[name] !== undefined)
  if (stray !== undefined) throw new UsageError(`--${stray} needs --new-account: it cannot change an existing account`)
}

function newAccount(name: string, { plan, credits, ...values }: Values, config: Config): AccountFields {
  if (plan !== undefined && !Object.hasOwn(config.plans, plan)) {
    throw new CommandError(`there is no plan '${plan}'${suggestion(plan, Object.keys(config.plans))}`)
  }
  if (credits !== undefined && !/^\d{1,9}$/.test(credits)) {
    throw new UsageError('--credits must be a whole number of cents')
  }
  return {
    id: randomUUID(),
    name: required(name, '--new-account NAME'),
    kind: oneOf(ACCOUNT_KINDS, values['account-kind'], '--account-kind') ?? 'serverless',
    plan,
    zdr_required: false,
    models: ['*'],
    credits_cents: credits === undefined ? undefined : Number(credits),
  }
}

/** Account names must be unique, because commands find accounts by name. */
async function checkName(name: string, config: Config, store: Store): Promise<void> {
  const taken = (await knownAccounts(config, store)).some(account => account.name === name)
  if (taken)
    throw new CommandError(`there is already an account '${name}': use --account '${name}' to create a key of it`)
}

async function checkMember(
  user: string,
  { id, name }: Pick<Account, 'id' | 'name'>,
  config: Config,
  store: Store,
): Promise<void> {
  const members = await membersOf(config, store, id)
  if (members.has(user)) return
  const known = suggestion(user, members)
  throw new CommandError(`'${user}' is not a member of ${name}${known || ': add --role ROLE to make this user one'}`)
}

function endpointsOf(hosts: readonly string[], config: Config): readonly string[] {
  const known = config.endpoints.map(({ host }) => host)
  for (const host of hosts) {
    if (!known.includes(host.toLowerCase())) {
      throw new CommandError(`there is no endpoint '${host}'${suggestion(host, known)}`)
    }
  }
  return hosts.map(host => host.toLowerCase())
}

async function list(argv: readonly string[]): Promise<number> {
  const { values } = readArguments(argv, { config: OPTIONS.config, account: OPTIONS.account })
  const file = required(values.config, '--config FILE')
  const config = readConfig(file, process.env)
  return withStore(config, async store => {
    const accounts =
      values.account === undefined
        ? await knownAccounts(config, store)
        : [await findAccount(config, store, values.account)]
    const rows: string[][] = []
    for (const { id: accountId, name } of accounts) {
      for (const key of config.accounts.find(({ id }) => id === accountId)?.keys ?? []) {
        rows.push([key.id, name, key.user ?? '', key.kind, key.endpoints.join(','), '', `in ${file}`])
      }
      for (const key of await listKeys(store, accountId)) {
        const state = key.revoked_at === null ? 'valid' : `revoked ${dayOf(key.revoked_at)}`
        rows.push([key.id, name, key.user ?? '', key.kind, key.endpoints.join(','), dayOf(key.created_at), state])
      }
    }
    process.stdout.write(table(['KEY', 'ACCOUNT', 'USER', 'KIND', 'ENDPOINTS', 'CREATED', 'STATE'], rows))
    return 0
  })
}

async function revoke(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, { config: OPTIONS.config }, 1)
  const file = required(values.config, '--config FILE')
  const id = required(positionals[0], 'KEY_ID')
  const config = readConfig(file, process.env)
  if (config.accounts.some(({ keys }) => keys.some(key => key.id === id))) {
    throw new CommandError(`key '${id}' is in ${file}: remove it there, and the gateway rejects it after the reload`)
  }
  return withStore(config, async store => {
    if (!(await revokeKey(store, id, systemClock.now() * 1000))) {
      throw new CommandError(`there is no valid key '${id}' in the store`)
    }
    process.stdout.write(`Key ${id} is revoked.\n`)
    return 0
  })
}

function oneOf<T extends string>(known: readonly T[], value: string | undefined, option: string): T | undefined {
  if (value === undefined) return undefined
  const found = known.find(name => name === value)
  if (found === undefined) throw new UsageError(`${option} must be one of ${known.join(', ')}`)
  return found
}

/** The UTC day of a time in microseconds: `2026-11-21`. */
function dayOf(microseconds: number): string {
  return new Date(microseconds / 1000).toISOString().slice(0, 10)
}
