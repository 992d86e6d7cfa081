/** Accounts of the configuration file and of the store. Those of the store can be created and changed. */
import { randomUUID } from 'node:crypto'
import { type Account, OPERATOR_ACCOUNT, toAccount } from '../accounts/access.ts'
import { isUuid } from '../base/ids.ts'
import { toIsoOrNull } from '../base/time.ts'
import type { Config } from '../config/config.ts'
import { fail } from '../errors/errors.ts'
import {
  type AccountFields,
  findAccount,
  idsWithName,
  listMembers,
  loadAccounts,
  type Role,
  removeMember,
  saveAccount,
  saveMember,
} from '../store/accounts.ts'
import type { Session } from '../store/database.ts'
import { suggestion } from '../text/nearest.ts'
import { type AdminContext, audited, auditedInTurn, changeOf } from './context.ts'
import { modelIds, refuseValue, repeatedAt } from './values.ts'

/** A body that `schemas/admin/account-change.json` accepts. */
export interface AccountChange {
  readonly name?: string
  readonly kind?: Account['kind']
  readonly plan?: string | null
  readonly models?: readonly string[]
  readonly zdr_required?: boolean
  readonly disabled?: boolean
  readonly credits_cents?: number | null
  readonly members?: readonly Member[]
}

/** A body that `schemas/admin/new-account.json` accepts. */
export interface NewAccount extends AccountChange {
  readonly name: string
}

interface Member {
  readonly user: string
  readonly role: Role
  /** The group of the issuer that makes the user a member. In a body, it has no effect. */
  readonly group?: string
}

/** `schemas/admin/account.json` */
type AccountJson = {
  id: string
  name: string
  kind: string
  plan: string | null
  models: string[]
  zdr_required: boolean
  disabled: boolean
  credits_cents: number | null
  erased_at: string | null
  members: { user: string; role: string; group?: string }[]
  source: 'file' | 'store'
}

/** Accounts of the file and of the store. If both have the same id, the account of the file counts. */
export async function knownAccounts(config: Config, store: Session): Promise<readonly Account[]> {
  const configured = config.accounts.map(toAccount)
  const ids = new Set(configured.map(({ id }) => id))
  return [...configured, ...(await loadAccounts(store)).filter(({ id }) => !ids.has(id))]
}

export async function membersOf(config: Config, store: Session, accountId: string): Promise<readonly Member[]> {
  const stored = (await listMembers(store, accountId)).filter(({ removed }) => !removed)
  return mergedMembers(config, accountId, stored)
}

export function mergedMembers(config: Config, accountId: string, stored: readonly Member[]): readonly Member[] {
  const configured = config.accounts.find(({ id }) => id === accountId)?.members ?? []
  const byUser = new Map([...configured, ...stored].map(one => [one.user, memberJson(one)]))
  return [...byUser.values()]
}

function memberJson({ user, role, group }: Member): Member {
  return { user, role, ...(group !== undefined && { group }) }
}

/** Refuses with http_404 if there is no such account. */
export async function accountOf(
  { config, store }: Pick<AdminContext, 'config' | 'store'>,
  id: string,
): Promise<Account> {
  const wanted = id.toLowerCase()
  const configured = config.accounts.find(one => one.id === wanted)
  const account = configured === undefined ? await findAccount(store, wanted) : toAccount(configured)
  return account ?? fail('http_404', { problem: 'There is no account with this id.' })
}

/** Refuses an account of the file; the error names its place. `instead`: what to do. */
export function refuseOfFile({ accounts }: Config, id: string, instead: string): void {
  const index = accounts.findIndex(one => one.id === id)
  if (index < 0) return
  const problem = `Account '${accounts[index]!.name}' is accounts[${index}] of the configuration file: ${instead}.`
  fail('http_400', { problem })
}

/** Refuses to add anything to an account that was erased. */
export function refuseErased({ erasedAt }: Account): void {
  if (erasedAt !== undefined) fail('http_400', { problem: 'The account is erased: create another one.' })
}

/**
 * The account of a filter by id or name. Accepts ids of deleted accounts, because records outlive accounts, and
 * `operator`, whose records are those of the gateway's own requests.
 */
export async function accountIdOf(
  { config, store }: Pick<AdminContext, 'config' | 'store'>,
  wanted: string | undefined,
): Promise<string | undefined> {
  if (wanted === undefined || isUuid(wanted)) return wanted?.toLowerCase()
  const inFile = config.accounts.filter(({ name }) => name === wanted).map(({ id }) => id)
  const ids = [...new Set([...inFile, ...(await idsWithName(store, wanted))])]
  if (ids.length > 1) refuseValue('account', `is the name of several accounts: use an id, ${ids.join(' or ')}`)
  if (ids.length === 0 && wanted === OPERATOR_ACCOUNT) return wanted
  return ids[0] ?? refuseValue('account', `is '${wanted}', which is neither the id nor the name of an account`)
}

export async function accountJson({ config, store }: AdminContext, account: Account): Promise<AccountJson> {
  return toJson(config, account, await membersOf(config, store, account.id))
}

export function toJson(config: Config, account: Account, members: readonly Member[]): AccountJson {
  return {
    id: account.id,
    name: account.name,
    kind: account.kind,
    plan: account.plan ?? null,
    models: account.models === null ? ['*'] : [...account.models],
    zdr_required: account.zdrRequired,
    disabled: account.disabled,
    credits_cents: account.creditsCents ?? null,
    erased_at: toIsoOrNull(account.erasedAt),
    members: members.map(member => ({ ...member })),
    source: config.accounts.some(({ id }) => id === account.id) ? 'file' : 'store',
  }
}

export function createAccount(context: AdminContext, wanted: NewAccount): Promise<AccountJson> {
  const { kind = 'serverless', ...change } = wanted
  const id = randomUUID()
  return save(
    context,
    async own => ({ ...EMPTY, ...(await checked(own, change)), id, name: wanted.name, kind }),
    change.members,
  )
}

export function saveNewAccount(context: AdminContext, fields: AccountFields): Promise<AccountJson> {
  return save(context, () => Promise.resolve(fields))
}

function save(
  context: AdminContext,
  makeFields: (own: AdminContext) => Promise<AccountFields>,
  members: readonly Member[] = [],
): Promise<AccountJson> {
  return auditedInTurn(context, async own => {
    const { store } = own
    const fields = await makeFields(own)
    await saveAccount(store, fields, context.now)
    for (const { user, role } of members) await saveMember(store, fields.id, user, role, context.now)
    const after = await accountJson(own, await accountOf(own, fields.id))
    return { change: { action: 'account.create', target: fields.id, account: fields.id, after }, result: after }
  })
}

/** Changes an account of the store. Refuses an account of the file; the error names its place in the file. */
export function changeAccount(context: AdminContext, id: string, change: AccountChange): Promise<AccountJson> {
  return auditedInTurn(context, async own => {
    const account = await accountOf(own, id)
    refuseOfFile(context.config, account.id, 'change it there')
    refuseErased(account)
    const before = await accountJson(own, account)
    await saveAccount(own.store, { ...fieldsOf(account), ...(await checked(own, change, account)) }, context.now)
    if (change.members !== undefined) await replaceMembers(own, account.id, change.members)
    const after = await accountJson(own, await accountOf(own, account.id))
    const entry = { action: 'account.change', target: account.id, account: account.id, before, after }
    return { change: changeOf(entry), result: after }
  })
}

/** Removes a member of the store, with the member's keys and sessions. Returns false if there is no such member. */
export function dropMember(context: AdminContext, accountId: string, user: string): Promise<boolean> {
  return audited(context, async session => {
    const isRemoved = await removeMember(session, accountId, user, context.now)
    const change = { action: 'member.remove', target: accountId, account: accountId, before: { user } }
    return { change: isRemoved ? change : undefined, result: isRemoved }
  })
}

const EMPTY = { plan: undefined, models: ['*'], zdr_required: false, credits_cents: undefined } as const

function fieldsOf(account: Account): AccountFields {
  return {
    id: account.id,
    name: account.name,
    kind: account.kind,
    plan: account.plan,
    zdr_required: account.zdrRequired,
    models: account.models === null ? ['*'] : [...account.models],
    credits_cents: account.creditsCents,
    disabled: account.disabled,
  }
}

/** Converts a change to fields of the store. Refuses names in use, and unknown plans and models. */
async function checked(
  { config, store }: AdminContext,
  { name, plan, models, credits_cents, members = [], ...flags }: AccountChange,
  account?: Account,
): Promise<Partial<AccountFields>> {
  if (name !== undefined && name !== account?.name) {
    // Commands find accounts by name.
    if (config.accounts.some(other => other.name === name) || (await idsWithName(store, name)).length > 0)
      fail('http_400', { problem: 'There is already an account with this name.' }, { param: 'name', ownParam: true })
  }
  if (typeof plan === 'string' && !Object.hasOwn(config.plans, plan))
    refuseValue('plan', `is '${plan}', which is not in the configuration${suggestion(plan, Object.keys(config.plans))}`)
  const repeated = repeatedAt(members.map(({ user }) => user))
  if (repeated >= 0) refuseValue(`members.${repeated}.user`, 'appears in the list twice')
  return {
    ...flags,
    ...(name === undefined ? null : { name }),
    ...(plan === undefined ? null : { plan: plan ?? undefined }),
    ...(models === undefined ? null : { models: modelIds(config, models) }),
    ...(credits_cents === undefined ? null : { credits_cents: credits_cents ?? undefined }),
  }
}

async function replaceMembers({ store, now }: AdminContext, id: string, members: readonly Member[]): Promise<void> {
  const wanted = new Set(members.map(({ user }) => user))
  for (const { user, removed } of await listMembers(store, id)) {
    if (!removed && !wanted.has(user)) await removeMember(store, id, user, now)
  }
  for (const { user, role } of members) await saveMember(store, id, user, role, now)
}
