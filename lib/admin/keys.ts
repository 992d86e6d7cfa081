/** Keys of accounts. Those of the file can be read; those of the store can also be created and changed. */
import type { Account } from '../accounts/access.ts'
import type { JsonObject } from '../base/json.ts'
import { toIso, toIsoOrNull } from '../base/time.ts'
import { checkRequestLimits } from '../config/checks/request-limits.ts'
import type { Config, KeyConfig, RequestLimitsConfig } from '../config/config.ts'
import { fail } from '../errors/errors.ts'
import {
  changeKey,
  createKey,
  findKey,
  keysByPrefix,
  listKeys,
  type NewKey,
  revokeKey,
  rotateKey,
  type StoredKey,
} from '../store/keys.ts'
import { suggestion } from '../text/nearest.ts'
import { accountOf, membersOf, refuseErased } from './accounts.ts'
import { type AdminContext, audited, auditedInTurn, changeOf } from './context.ts'
import { knownModelId, microsOf, modelIds, refuseValue, repeatedAt } from './values.ts'

/** A body that `schemas/admin/key-change.json` accepts. */
export interface KeyChangeBody {
  readonly label?: string | null
  readonly expires_at?: string | null
  readonly models?: readonly string[] | null
  readonly limits?: RequestLimitsConfig | null
  readonly disabled?: boolean
}

/** A body that `schemas/admin/new-key.json` accepts. */
export interface NewKeyBody extends KeyChangeBody {
  readonly user?: string
  readonly kind?: KeyConfig['kind']
  readonly endpoints?: readonly string[]
}

/** `schemas/admin/key.json` */
type KeyJson = {
  id: string
  account_id: string
  user: string | null
  kind: string
  endpoints: string[]
  label: string | null
  models: string[] | null
  limits: JsonObject | null
  created_at: string | null
  expires_at: string | null
  disabled: boolean
  disabled_by: 'operator' | 'user' | 'group' | null
  revoked_at: string | null
  last_used_at: string | null
  previous_valid_until: string | null
  source: 'file' | 'store'
}

/** Default kind of a key, by the kind of its account. */
export const DEFAULT_KIND: Readonly<Record<Account['kind'], KeyConfig['kind']>> = {
  serverless: 'serverless',
  enterprise: 'pass',
  dedicated: 'dedicated',
}

/** Keys of the account: those of the file, then those of the store, including revoked ones, oldest first. */
export async function keysOf(context: AdminContext, accountId: string): Promise<KeyJson[]> {
  const { id } = await accountOf(context, accountId)
  const configured = context.config.accounts.find(account => account.id === id)?.keys ?? []
  return [...configured.map(key => fileKeyJson(id, key)), ...(await listKeys(context.store, id)).map(keyJson)]
}

/** Keys of any account whose ids begin with a text: those of the file, then those of the store. */
export async function keysBegunWith({ config, store }: AdminContext, prefix: string): Promise<KeyJson[]> {
  const inFile = config.accounts.flatMap(({ id, keys }) =>
    keys.filter(key => key.id.startsWith(prefix)).map(key => fileKeyJson(id, key)),
  )
  return [...inFile, ...(await keysByPrefix(store, prefix, MAX_FOUND)).map(keyJson)].slice(0, MAX_FOUND)
}

const MAX_FOUND = 10

/** Creates a key in the store. The caller must have checked user, kind and endpoints. */
export function issueKey(context: AdminContext, key: NewKey): Promise<KeyJson & { readonly secret: string }> {
  return audited(context, async session => {
    const { id, secret } = await createKey(session, context.config.brand, key, context.now)
    const after = keyJson((await findKey(session, id))!)
    return {
      change: { action: 'key.create', target: id, account: key.account_id, after },
      result: { ...after, secret },
    }
  })
}

export async function createKeyOf(
  context: AdminContext,
  accountId: string,
  body: NewKeyBody,
): Promise<KeyJson & { readonly secret: string }> {
  const account = await accountOf(context, accountId)
  refuseErased(account)
  const { user, kind = DEFAULT_KIND[account.kind], endpoints = [], label, disabled, ...rest } = body
  if (user !== undefined) {
    const members = (await membersOf(context.config, context.store, account.id)).map(member => member.user)
    // An account without members accepts any user.
    if (members.length > 0 && !members.includes(user))
      refuseValue('user', `is '${user}', who is not a member of this account`)
  }
  const known = context.config.endpoints.map(({ host }) => host)
  const hosts = endpoints.map(host => host.toLowerCase())
  const repeated = repeatedAt(hosts)
  if (repeated >= 0) refuseValue(`endpoints.${repeated}`, 'appears in the list twice')
  const unknown = hosts.findIndex(host => !known.includes(host))
  if (unknown >= 0)
    refuseValue(
      `endpoints.${unknown}`,
      `is '${hosts[unknown]}', which is not a dedicated endpoint${suggestion(hosts[unknown]!, known)}`,
    )
  if (kind === 'dedicated' && hosts.length === 0) refuseValue('endpoints', "is required for a key of kind 'dedicated'")
  const { expires_at, models, limits } = stored(context, rest)
  if (typeof expires_at === 'number' && expires_at <= context.now) refuseValue('expires_at', 'must not be in the past')
  return issueKey(context, {
    account_id: account.id,
    user,
    kind,
    endpoints: hosts,
    label: label ?? undefined,
    expires_at: expires_at ?? undefined,
    models: models ?? undefined,
    limits: limits ?? undefined,
    disabled,
  })
}

/** Changes a key. If `expires_at` is in the past, the key expires immediately. */
export function changeKeyOf(
  context: AdminContext,
  id: string,
  { label, disabled, ...rest }: KeyChangeBody,
): Promise<KeyJson> {
  return changing('key.change', context, id, ({ store }) => {
    const { expires_at, models, limits } = stored(context, rest)
    return changeKey(store, id, { label, disabled, expires_at, models, limits })
  }).then(({ key }) => key)
}

export function revokeKeyOf(context: AdminContext, id: string): Promise<KeyJson> {
  return changing('key.revoke', context, id, ({ store }) => revokeKey(store, id, context.now)).then(({ key }) => key)
}

/** Gives the key a new secret. The current secret remains valid for `grace` seconds. */
export async function rotateKeyOf(
  context: AdminContext,
  id: string,
  grace = 0,
): Promise<KeyJson & { readonly secret: string }> {
  const until = context.now + grace * 1_000_000
  const { key, done: secret } = await changing('key.rotate', context, id, ({ store }) =>
    rotateKey(store, context.config.brand, id, until),
  )
  return { ...key, secret }
}

/** Changes a valid key of the store, and adds its state before and after to the audit log. */
function changing<T>(
  action: string,
  context: AdminContext,
  id: string,
  work: (own: AdminContext) => Promise<T>,
): Promise<{ readonly key: KeyJson; readonly done: T }> {
  return auditedInTurn(context, async own => {
    const before = keyJson(await validKey(own, id))
    const done = await work(own)
    const key = keyJson((await findKey(own.store, id))!)
    const change = { action, target: id, account: key.account_id, before, after: key }
    // A rotation changes only the secret, which is not in the log.
    return { change: action === 'key.rotate' ? change : changeOf(change), result: { key, done } }
  })
}

/** The key of the store. Refuses with http_404 if it is revoked or unknown, and refuses keys of the file. */
async function validKey({ config, store }: AdminContext, id: string): Promise<StoredKey> {
  const location = fileLocation(config, id)
  if (location !== undefined)
    fail('http_400', { problem: `Key '${id}' is ${location} of the configuration file: change it there.` })
  const key = await findKey(store, id)
  if (key === undefined || key.revoked_at !== null) fail('http_404', { problem: 'There is no valid key with this id.' })
  return key
}

function fileLocation({ accounts }: Config, id: string): string | undefined {
  for (const [i, { keys }] of accounts.entries()) {
    const at = keys.findIndex(key => key.id === id)
    if (at >= 0) return `accounts[${i}].keys[${at}]`
  }
  return undefined
}

/** Converts members of a body to fields of the store. */
function stored(
  { config }: AdminContext,
  { expires_at: expires, models, limits }: Pick<KeyChangeBody, 'expires_at' | 'models' | 'limits'>,
) {
  if (limits) checkRequestLimits(limitsJson(limits)!, 'limits', refuseValue)
  const expires_at = typeof expires === 'string' ? microsOf(expires) : expires
  if (typeof expires_at === 'number' && (expires_at < 0 || expires_at >= MAX_EXPIRY))
    refuseValue('expires_at', 'must be between 1970 and 2200')
  return {
    expires_at,
    models: models && modelIds(config, models),
    limits: limits && (Object.keys(limits).length === 0 ? null : withModelIds(config, limits)),
  }
}

/** Microseconds since the epoch. Every store represents earlier times exactly. */
const MAX_EXPIRY = Date.UTC(2200, 0, 1) * 1000

function keyJson(key: StoredKey): KeyJson {
  return {
    id: key.id,
    account_id: key.account_id,
    user: key.user ?? null,
    kind: key.kind,
    endpoints: [...key.endpoints],
    label: key.label ?? null,
    models: key.models === undefined ? null : [...key.models],
    limits: limitsJson(key.limits),
    created_at: toIso(key.created_at),
    expires_at: toIsoOrNull(key.expires_at),
    disabled: key.disabled,
    disabled_by: key.disabled_by ?? null,
    revoked_at: toIsoOrNull(key.revoked_at),
    last_used_at: toIsoOrNull(key.last_used_at),
    previous_valid_until: toIsoOrNull(key.previous_until),
    source: 'store',
  }
}

/** Refuses names that no model has, and two names of one model. */
function withModelIds(config: Config, limits: RequestLimitsConfig): RequestLimitsConfig {
  if (limits.models === undefined) return limits
  const models = new Map<string, (typeof limits.models)[string]>()
  for (const [name, own] of Object.entries(limits.models)) {
    const id = knownModelId(config, `limits.models.${name}`, name)
    if (models.has(id)) refuseValue(`limits.models.${name}`, `is the model '${id}', which has limits here already`)
    models.set(id, own)
  }
  return { ...limits, models: Object.fromEntries(models) }
}

function limitsJson(limits: RequestLimitsConfig | undefined): JsonObject | null {
  // Readonly only in the type.
  return limits === undefined ? null : (structuredClone(limits) as unknown as JsonObject)
}

function fileKeyJson(accountId: string, { id, user, kind, endpoints, limits }: KeyConfig): KeyJson {
  return {
    id,
    account_id: accountId,
    user: user ?? null,
    kind,
    endpoints: [...endpoints],
    ...NOT_IN_FILES,
    limits: limitsJson(limits),
    source: 'file',
  }
}

const NOT_IN_FILES = {
  label: null,
  models: null,
  created_at: null,
  expires_at: null,
  disabled: false,
  disabled_by: null,
  revoked_at: null,
  last_used_at: null,
  previous_valid_until: null,
} as const
