import { randomUUID } from 'node:crypto'
import type { Account } from '../accounts/access.ts'
import { knownAccounts, membersOf, saveNewAccount } from '../admin/accounts.ts'
import { disabledText } from '../admin/key-state.ts'
import { DEFAULT_KIND, issueKey, revokeKeyOf } from '../admin/keys.ts'
import { issueOperatorKey, revokeOperatorKeyOf } from '../admin/operators.ts'
import { systemClock } from '../base/clock.ts'
import type { AccountConfig, Config, KeyConfig } from '../config/config.ts'
import { readConfig } from '../config/read.ts'
import { GatewayError } from '../errors/errors.ts'
import { type AccountFields, type Role, saveMember } from '../store/accounts.ts'
import { transact } from '../store/database.ts'
import { listKeys, type StoredKey } from '../store/keys.ts'
import { listOperatorKeys, OPERATOR_KEY } from '../store/operator-keys.ts'
import type { Store } from '../store/store.ts'
import { suggestion } from '../text/nearest.ts'
import { CommandError, oneOf, readArguments, required, runAction, UsageError, unknownName } from './command.ts'
import { LIMIT_OPTIONS, limitsOf } from './key-limits.ts'
import { print, tableOrCsv } from './output.ts'
import { contextOf, findAccount, listedAccounts, withStore } from './store.ts'

export const usage = `Usage: sluiceway keys create --config FILE --account ACCOUNT [OPTION]…
       sluiceway keys create --config FILE --new-account NAME [OPTION]…
       sluiceway keys create --config FILE --operator NAME
       sluiceway keys list --config FILE [--account ACCOUNT] [--csv]
       sluiceway keys revoke --config FILE KEY_ID

Manages API keys in the store. A running gateway applies changes within a second. ACCOUNT is an id or a name, in the
file or in the store.

create prints the secret on stdout. It is not shown again: the store contains only its SHA-256.
  --operator NAME      create a key for the operators' API and pages (\`admin: { api: true }\`)
  --user USER          the member that the key belongs to; a key without a user cannot upload files
  --role ROLE          add USER as a member first: owner, admin or member; default for a new account: owner
  --kind KIND          serverless, pass or dedicated; default: depends on the account
  --endpoint HOST      a dedicated endpoint that the key may use; repeat for more
  --requests-per-minute N, --tokens-per-minute N, --concurrency N, --budget-cents CENTS/WINDOW
                       limits of this key, in addition to those of its account: --budget-cents 500/30d;
                       repeat the last one for more windows
  --new-account NAME   create an account in the store first
  --account-kind KIND  kind of the new account: serverless, enterprise or dedicated; default: serverless
  --plan PLAN          plan of the new account
  --credits CENTS      make the new account prepaid, with this balance

The operators' API and pages also set a label, a last day and the models of a key, disable it and rotate it
(docs/ADMIN-API.md).
`

const KEY_KINDS = ['serverless', 'pass', 'dedicated'] as const satisfies readonly KeyConfig['kind'][]
const ACCOUNT_KINDS = ['serverless', 'enterprise', 'dedicated'] as const satisfies readonly AccountConfig['kind'][]
const ROLES = ['owner', 'admin', 'member'] as const satisfies readonly Role[]

const OPTIONS = {
  config: { type: 'string', short: 'c' },
  account: { type: 'string' },
  operator: { type: 'string' },
  user: { type: 'string' },
  role: { type: 'string' },
  kind: { type: 'string' },
  endpoint: { type: 'string', multiple: true },
  'new-account': { type: 'string' },
  'account-kind': { type: 'string' },
  plan: { type: 'string' },
  credits: { type: 'string' },
  ...LIMIT_OPTIONS,
} as const

const OF_NEW_ACCOUNTS = ['account-kind', 'plan', 'credits'] as const satisfies readonly (keyof typeof OPTIONS)[]

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>['values']

export function run(argv: readonly string[]): Promise<number> {
  return runAction(argv, { create, list, revoke })
}

async function create(argv: readonly string[]): Promise<number> {
  const { values } = readArguments(argv, OPTIONS)
  const config = readConfig(required(values.config, '--config FILE'), process.env)
  if (values.operator !== undefined) return createOfOperator(values, config)
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
  const limits = limitsOf(values)

  return withStore(config, async store => {
    const now = systemClock.now() * 1000
    if (fresh !== undefined) await checkName(fresh.name, config, store)
    const account = fresh ?? (await findAccount(config, store, values.account!))
    const kind = wantedKind ?? DEFAULT_KIND[account.kind]
    if (kind === 'dedicated' && endpoints.length === 0) {
      throw new UsageError('a key of kind dedicated needs --endpoint HOST')
    }
    if (user !== undefined && role === undefined) await checkMember(user, account, config, store)
    const { id, secret } = await transact(store, async session => {
      const context = contextOf(config, session)
      if (fresh !== undefined) await saveNewAccount(context, fresh)
      if (user !== undefined && role !== undefined) await saveMember(session, account.id, user, role, now)
      return issueKey(context, { account_id: account.id, user, kind, endpoints, limits })
    })
    process.stdout.write(`${secret}\n`)
    process.stderr.write(`Key ${id} of account ${account.name} (${account.id}). Its secret is not shown again.\n`)
    return 0
  })
}

async function createOfOperator({ config: _file, operator, ...others }: Values, config: Config): Promise<number> {
  const stray = Object.keys(others)[0]
  if (stray !== undefined) throw new UsageError(`--${stray} is for keys of accounts: it cannot go with --operator`)
  const name = required(operator, '--operator NAME')
  return withStore(config, async store => {
    const { id, secret } = await issueOperatorKey(contextOf(config, store), name)
    process.stdout.write(`${secret}\n`)
    process.stderr.write(`Key ${id} of operator ${name}. Its secret is not shown again.\n`)
    return 0
  })
}

/** Refuses options that would have no effect. */
function checkUse(values: Values): void {
  if (values.role !== undefined && values.user === undefined) throw new UsageError('--role needs --user USER')
  if (values['new-account'] !== undefined) return
  const stray = OF_NEW_ACCOUNTS.find(name => values[name] !== undefined)
  if (stray !== undefined) throw new UsageError(`--${stray} needs --new-account: it cannot change an existing account`)
}

function newAccount(name: string, { plan, credits, ...values }: Values, config: Config): AccountFields {
  if (plan !== undefined && !Object.hasOwn(config.plans, plan)) {
    throw unknownName('plan', plan, Object.keys(config.plans))
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

/** Refuses a name that another account has, because commands find accounts by name. */
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
  const members = (await membersOf(config, store, id)).map(member => member.user)
  if (members.includes(user)) return
  const hint = suggestion(user, members) || ': add --role ROLE to make this user one'
  throw new CommandError(`'${user}' is not a member of ${name}${hint}`)
}

function endpointsOf(hosts: readonly string[], config: Config): readonly string[] {
  const known = config.endpoints.map(({ host }) => host)
  const unknown = hosts.find(host => !known.includes(host.toLowerCase()))
  if (unknown !== undefined) throw unknownName('endpoint', unknown, known)
  return hosts.map(host => host.toLowerCase())
}

async function list(argv: readonly string[]): Promise<number> {
  const { values } = readArguments(argv, { config: OPTIONS.config, account: OPTIONS.account, csv: { type: 'boolean' } })
  const file = required(values.config, '--config FILE')
  const config = readConfig(file, process.env)
  return withStore(config, async store => {
    const rows: string[][] = []
    for (const { id: accountId, name } of await listedAccounts(config, store, values.account)) {
      for (const key of config.accounts.find(({ id }) => id === accountId)?.keys ?? []) {
        rows.push([key.id, name, key.user ?? '', key.kind, key.endpoints.join(','), '', `in ${file}`])
      }
      for (const key of await listKeys(store, accountId)) {
        const { id, user = '', kind, endpoints, created_at } = key
        rows.push([id, name, user, kind, endpoints.join(','), dayOf(created_at), stateOf(key)])
      }
    }
    const ofOperators = values.account === undefined ? await listOperatorKeys(store) : []
    for (const { id, name, created_at, revoked_at } of ofOperators) {
      const state = revoked_at === null ? 'valid' : `revoked ${dayOf(revoked_at)}`
      rows.push([id, '', name, 'operator', '', dayOf(created_at), state])
    }
    return print(tableOrCsv(['KEY', 'ACCOUNT', 'USER', 'KIND', 'ENDPOINTS', 'CREATED', 'STATE'], rows, values.csv))
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
    const context = contextOf(config, store)
    const isRevoked = id.startsWith(OPERATOR_KEY)
      ? revokeOperatorKeyOf(context, id)
      : revokeKeyOf(context, id).then(() => true)
    const revoked = await isRevoked.catch((error: unknown) => {
      if (error instanceof GatewayError && error.code === 'http_404') return false
      throw error
    })
    if (!revoked) throw new CommandError(`there is no valid key '${id}' in the store`)
    return print(`Key ${id} is revoked.\n`)
  })
}

function stateOf({ revoked_at, disabled_by: by, expires_at }: StoredKey): string {
  if (revoked_at !== null) return `revoked ${dayOf(revoked_at)}`
  if (by !== undefined) return disabledText(by)
  if (expires_at === undefined) return 'valid'
  return `${expires_at <= systemClock.micros() ? 'expired' : 'valid until'} ${dayOf(expires_at)}`
}

/** The UTC day of a time in microseconds: `2026-11-21`. */
function dayOf(microseconds: number): string {
  return new Date(microseconds / 1000).toISOString().slice(0, 10)
}
