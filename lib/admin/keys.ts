/** Keys of accounts: those of the file are readable, those of the store can be created, changed, rotated and revoked. */
import type { Account } from '../accounts/access.ts'
import type { JsonObject } from '../base/json.ts'
import { suggestion } from '../base/nearest.ts'
import { parseIso, toIso, toIsoOrNull } from '../base/time.ts'
import { type Config, type KeyConfig, type RequestLimitsConfig, windowMilliseconds } from '../config/config.ts'
import { fail } from '../errors/errors.ts'
import {
  changeKey,
  createKey,
  findKey,
  listKeys,
  type NewKey,
  revokeKey,
  rotateKey,
  type StoredKey,
} from '../store/keys.ts'
import { accountOf, membersOf, modelIds } from './accounts.ts'
import { audited, auditedInTurn, changeOf, type Desk } from './desk.ts'
import { refuseValue, repeatedAt } from './refuse.ts'

/** Only what `schemas/admin/key-change.json` accepts. */
export interface KeyChangeBody {
  readonly label?: string | null
  readonly expires_at?: string | null
  readonly models?: readonly string[] | null
  readonly limits?: RequestLimitsConfig | null
  readonly disabled?: boolean
}

/** Only what `schemas/admin/new-key.json` accepts. */
export interface NewKeyBody extends KeyChangeBody {
  readonly user?: string
  readonly kind?: KeyConfig['kind']
  readonly endpoints?: readonly string[]
}

/** `schemas/admin/key.json` */
export type KeyJson = {
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
  revoked_at: string | null
  last_used_at: string | null
  previous_valid_until: string | null
  source: 'file' | 'store'
}

/** The default kind of keys, by kind of account. */
export const DEFAULT_KIND: Readonly<Record<Account['kind'], KeyConfig['kind']>> = {
  serverless: 'serverless',
  enterprise: 'pass',
  dedicated: 'dedicated',
}

/** Keys of the account: those of the file, then those of the store, including revoked ones, oldest first. */
export async function keysOf(desk: Desk, accountId: string): Promise<KeyJson[]> {
  const { id } = await accountOf(desk, accountId)
  const configured = desk.config.accounts.find(account => account.id === id)?.keys ?? []
  return [...configured.map(key => fileKeyJson(id, key)), ...(await listKeys(desk.store, id)).map(keyJson)]
}

/** Creates a key of the store. What the caller must have checked: user, kind and endpoints. */
export function issueKey(desk: Desk, key: NewKey): Promise<KeyJson & { readonly secret: string }> {
  return audited(desk, async session => {
    const { id, secret } = await createKey(session, desk.config.brand, key, desk.now)
    const after = keyJson((await findKey(session, id))!)
    return {
      change: { action: 'key.create', target: id, account: key.account_id, after },
      result: { ...after, secret },
    }
  })
}

/** Creates a key as the API describes it. */
export async function createKeyOf(
  desk: Desk,
  accountId: string,
  body: NewKeyBody,
): Promise<KeyJson & { readonly secret: string }> {
  const account = await accountOf(desk, accountId)
  const { user, kind = DEFAULT_KIND[account.kind], endpoints = [], label, disabled, ...rest } = body
  if (user !== undefined) {
    const members = (await membersOf(desk.config, desk.store, account.id)).map(member => member.user)
    // An account without a list of members has any user.
    if (members.length > 0 && !members.includes(user)) refuseValue('user', 'is not a member of this account')
  }
  const known = desk.config.endpoints.map(({ host }) => host)
  const hosts = endpoints.map(host => host.toLowerCase())
  const repeated = repeatedAt(hosts)
  if (repeated >= 0) refuseValue(`endpoints.${repeated}`, 'stands in the list twice')
  const unknown = hosts.findIndex(host => !known.includes(host))
  if (unknown >= 0)
    refuseValue(`endpoints.${unknown}`, `is not a dedicated endpoint${suggestion(hosts[unknown]!, known)}`)
  if (kind === 'dedicated' && hosts.length === 0) refuseValue('endpoints', "is required for a key of kind 'dedicated'")
  const { expires_at, models, limits } = stored(desk, rest)
  if (typeof expires_at === 'number' && expires_at <= desk.now) refuseValue('expires_at', 'must not be in the past')
  return issueKey(desk, {
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

/** `expires_at` may be in the past: the key has expired at once. */
export function changeKeyOf(desk: Desk, id: string, { label, disabled, ...rest }: KeyChangeBody): Promise<KeyJson> {
  return changing('key.change', desk, id, ({ store }) => {
    const { expires_at, models, limits } = stored(desk, rest)
    return changeKey(store, id, { label, disabled, expires_at, models, limits })
  }).then(({ key }) => key)
}

export function revokeKeyOf(desk: Desk, id: string): Promise<KeyJson> {
  return changing('key.revoke', desk, id, ({ store }) => revokeKey(store, id, desk.now)).then(({ key }) => key)
}

/** Gives the key another secret; the present one stays valid for `grace` seconds. */
export async function rotateKeyOf(desk: Desk, id: string, grace = 0): Promise<KeyJson & { readonly secret: string }> {
  const until = desk.now + grace * 1_000_000
  const { key, done: secret } = await changing('key.rotate', desk, id, ({ store }) =>
    rotateKey(store, desk.config.brand, id, until),
  )
  return { ...key, secret }
}

/** Changes a valid key of the store, and notes what it was and is. */
function changing<T>(
  action: string,
  desk: Desk,
  id: string,
  work: (own: Desk) => Promise<T>,
): Promise<{ readonly key: KeyJson; readonly done: T }> {
  return auditedInTurn(desk, async own => {
    const before = keyJson(await validKey(own, id))
    const done = await work(own)
    const key = keyJson((await findKey(own.store, id))!)
    const change = { action, target: id, account: key.account_id, before, after: key }
    // A rotation differs in a secret, which is not in the log.
    return { change: action === 'key.rotate' ? change : changeOf(change), result: { key, done } }
  })
}

/** The key of the store. Refuses with http_404 where it is revoked or unknown, and for one of the file. */
async function validKey({ config, store }: Desk, id: string): Promise<StoredKey> {
  const place = placeOf(config, id)
  if (place !== undefined)
    fail('http_400', { problem: `Key '${id}' is ${place} of the configuration file: change it there.` })
  const key = await findKey(store, id)
  if (key === undefined || key.revoked_at !== null) fail('http_404', { problem: 'There is no valid key with this id.' })
  return key
}

function placeOf({ accounts }: Config, id: string): string | undefined {
  for (const [i, { keys }] of accounts.entries()) {
    const at = keys.findIndex(key => key.id === id)
    if (at >= 0) return `accounts[${i}].keys[${at}]`
  }
  return undefined
}

/** Members of a body in the store's form. */
function stored(
  { config }: Desk,
  { expires_at: expires, models, limits }: Pick<KeyChangeBody, 'expires_at' | 'models' | 'limits'>,
) {
  const window = limits?.budget_cents?.window
  if (window !== undefined && windowMilliseconds(window) === undefined)
    refuseValue(
      'limits.budget_cents.window',
      'must be a number and m, h or d, such as 1h, 1d or 30d, and at most a year',
    )
  const expires_at = typeof expires === 'string' ? parseIso(expires)!.micros : expires
  if (typeof expires_at === 'number' && (expires_at < 0 || expires_at >= LATEST))
    refuseValue('expires_at', 'must be between 1970 and 2200')
  return {
    expires_at,
    models: models && modelIds(config, models),
    limits: limits && (Object.keys(limits).length === 0 ? null : limits),
  }
}

/** Microseconds since the epoch that a number and every store hold exactly. */
const LATEST = Date.UTC(2200, 0, 1) * 1000

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
    revoked_at: toIsoOrNull(key.revoked_at),
    last_used_at: toIsoOrNull(key.last_used_at),
    previous_valid_until: toIsoOrNull(key.previous_until),
    source: 'store',
  }
}

function limitsJson(limits: RequestLimitsConfig | undefined): JsonObject | null {
  return limits === undefined
    ? null
    : { ...limits, ...(limits.budget_cents && { budget_cents: { ...limits.budget_cents } }) }
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
  revoked_at: null,
  last_used_at: null,
  previous_valid_until: null,
} as const
