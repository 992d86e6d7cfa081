/** Batches as rows of the store, and back. */
import { type Account, type Key, toAccount } from '../accounts/access.ts'
import { hexOfUuid, uuidv7 } from '../base/ids.ts'
import { isObject, parseJson } from '../base/json.ts'
import type { Config } from '../config/config.ts'
import { findAccounts } from '../store/accounts.ts'
import type { BatchRow, OpenBatch } from '../store/batches.ts'
import type { Session } from '../store/database.ts'
import { findKeys } from '../store/keys.ts'
import type { Batch, BatchApi, BatchEndpoint, BatchProblem, BatchStatus } from './batch.ts'
import { hasEnded } from './batch.ts'

const PREFIX = { openai: 'batch_', anthropic: 'msgbatch_' } as const

/** `now`: milliseconds since the epoch. The first 12 digits are the time. */
export function newBatchId(api: BatchApi, now: number): string {
  const hex = hexOfUuid(uuidv7(now))
  return PREFIX[api] + hex.slice(0, 12) + hex.slice(-12)
}

export function toBatch(row: BatchRow): Batch {
  const status = row.status as BatchStatus
  const filesOf = (id: string | null) => (hasEnded(status) ? id : null)
  return {
    id: row.id,
    api: row.api as BatchApi,
    owner: row.owner,
    accountId: row.account_id,
    user: row.user_id,
    keyId: row.key_id,
    endpoint: row.endpoint as BatchEndpoint,
    window: row.completion_window,
    metadata: parsed<Batch['metadata']>(row.metadata),
    outputExpiresSeconds: row.output_seconds,
    status,
    model: row.model,
    inputFileId: row.input_file_id,
    outputFileId: filesOf(row.output_file_id),
    errorFileId: filesOf(row.error_file_id),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    inProgressAt: row.in_progress_at,
    finalizingAt: row.finalizing_at,
    completedAt: row.completed_at,
    failedAt: row.failed_at,
    expiredAt: row.expired_at,
    cancellingAt: row.cancelling_at,
    cancelledAt: row.cancelled_at,
    counts: {
      total: row.total,
      completed: row.completed,
      failed: row.failed,
      cancelled: row.cancelled,
      expired: row.expired,
    },
    usage: {
      inputTokens: row.input_tokens,
      cachedTokens: row.cached_tokens,
      outputTokens: row.output_tokens,
      reasoningTokens: row.reasoning_tokens,
    },
    problems: parsed<readonly BatchProblem[]>(row.problems) ?? [],
  }
}

/** The ids of the models of all lines. */
export function modelsOf({ models }: BatchRow): readonly string[] {
  return parsed<readonly string[]>(models) ?? []
}

/** Number of valid results by part, for parts of processes that have ended. */
export function partCounts({ parts }: BatchRow): Readonly<Record<string, number>> {
  const value = parts === null ? undefined : parseJson(parts)
  return isObject(value) ? (value as Readonly<Record<string, number>>) : {}
}

/** What is kept of a key for the lines of its batch, as JSON, because the key may be revoked before they run. */
export function keyRights({ models, limits, formats }: Key): string {
  return JSON.stringify({ models: models === null ? null : [...models], limits, formats })
}

interface Rights {
  readonly models: readonly string[] | null
  readonly limits?: Key['limits']
  readonly formats?: Key['formats']
}

/**
 * The key that created the batch, for its lines. It neither expires nor can it be revoked. `present`: limits of keys by
 * id, instead of those that the key had then.
 */
export function keyOfBatch(
  row: Pick<BatchRow, 'key_id' | 'user_id' | 'key_rights'>,
  account: Account,
  present: ReadonlyMap<string, Key['limits']> = new Map(),
): Key {
  const { models, limits, formats } = parsed<Rights>(row.key_rights) ?? { models: [] }
  return {
    id: row.key_id,
    kind: 'serverless',
    user: row.user_id,
    endpoints: [],
    account,
    models: models === null ? null : new Set(models),
    limits: present.has(row.key_id) ? present.get(row.key_id) : limits,
    formats,
    expiresAt: Number.POSITIVE_INFINITY,
    disabled: false,
    isStored: false,
  }
}

/** Who pays for lines. */
export interface Owners {
  /** The accounts that exist, by id. */
  readonly accounts: ReadonlyMap<string, Account>
  /** The present limits of keys, also of revoked ones. A key that nothing knows any more is absent. */
  readonly limits: ReadonlyMap<string, Key['limits']>
}

export async function ownersOf(batches: readonly OpenBatch[], store: Session, config: Config): Promise<Owners> {
  const accountIds = new Set(batches.map(batch => batch.account_id))
  const keyIds = new Set(batches.map(batch => batch.key_id))
  const configured = config.accounts.filter(({ id }) => accountIds.has(id))
  const accounts = new Map(configured.map(account => [account.id, toAccount(account)]))
  const limits = new Map<string, Key['limits']>()
  for (const { keys } of configured) for (const key of keys) limits.set(key.id, key.limits)
  const stored = await findAccounts(
    store,
    [...accountIds].filter(id => !accounts.has(id)),
  )
  for (const account of stored) if (account.erasedAt === undefined) accounts.set(account.id, account)
  const storedKeys = await findKeys(
    store,
    [...keyIds].filter(id => !limits.has(id)),
  )
  for (const key of storedKeys) limits.set(key.id, key.limits)
  return { accounts, limits }
}

/** Own data: its shape is that of what was written. */
function parsed<T>(text: string | null): T | null {
  return text === null ? null : ((parseJson(text) ?? null) as T | null)
}
