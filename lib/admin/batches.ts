/** Batches of all accounts: lists, cancelling, and pauses of models. */
import type { JsonObject } from '../base/json.ts'
import { toIso, toIsoOrNull } from '../base/time.ts'
import { type BatchStatus, hasEnded } from '../batches/batch.ts'
import { fail } from '../errors/errors.ts'
import { type BatchRow, cancelBatch, pausedModels, pauseModel, resumeModel, UNFINISHED } from '../store/batches.ts'
import type { Session } from '../store/database.ts'
import { batchBacklog, batchById, searchBatches } from '../store/queries/batches.ts'
import { withAccountNames } from './account-names.ts'
import { accountIdOf } from './accounts.ts'
import { type AdminContext, audited } from './context.ts'
import { knownModelId, modelId } from './values.ts'

/** A query that `schemas/admin/batch-query.json` accepts. */
export interface BatchQuery {
  readonly account?: string
  readonly status?: BatchStatus | 'unfinished'
  readonly order?: 'asc' | 'desc'
  readonly limit: number
  readonly cursor?: string
}

/** A row of the backlog. */
export interface BacklogJson {
  readonly account_id: string
  readonly account_name: string | null
  readonly model: string
  readonly batches: number
  readonly queued_requests: number
  readonly in_flight: number
  readonly requests_per_second: number
  readonly oldest_seconds: number
}

/** What batchList() resolves with for the first page; later ones have no backlog. */
export interface BatchesJson {
  /** `schemas/admin/batch.json` */
  readonly batches: readonly (ReturnType<typeof batchJson> & { readonly account_name: string | null })[]
  readonly backlog: readonly BacklogJson[]
  readonly paused_models: readonly string[]
}

/** A page of batches, newest first by default. The first page has the backlog of all accounts, too. */
export async function batchList(context: AdminContext, query: BatchQuery): Promise<JsonObject> {
  const { store } = context
  const { account, status, order = 'desc', limit, cursor } = query
  const [createdAt = '', id = ''] = cursor?.split('.') ?? []
  const search = {
    account: await accountIdOf(context, account),
    statuses: status === undefined ? undefined : status === 'unfinished' ? UNFINISHED : [status],
    order,
    last: cursor === undefined ? undefined : { createdAt: Number(createdAt), id },
  }
  const rows = await searchBatches(store, search, limit + 1)
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    batches: await withAccountNames(context, shown.map(batchJson)),
    has_more: last !== undefined,
    cursor: last === undefined ? null : `${last.created_at}.${last.id}`,
    ...(cursor === undefined ? await backlogJson(context) : null),
  }
}

async function backlogJson(context: AdminContext): Promise<JsonObject> {
  const { backlog, paused } = await batchBacklog(context.store, context.now / 1000)
  const rows = backlog.map(({ accountId, model, batches, queued, inFlight, oldest, rate }) => ({
    account_id: accountId,
    model,
    batches,
    queued_requests: queued,
    in_flight: inFlight,
    requests_per_second: rate,
    oldest_seconds: Math.max(0, Math.round(context.now / 1e6 - oldest / 1000)),
  }))
  return { backlog: await withAccountNames(context, rows), paused_models: [...paused] }
}

/** `schemas/admin/batch.json`, without `account_name`. */
function batchJson(row: BatchRow) {
  const { total, completed, failed, cancelled, expired } = row
  return {
    id: row.id,
    api: row.api,
    account_id: row.account_id,
    user: row.user_id,
    key_id: row.key_id,
    status: row.status,
    endpoint: row.endpoint,
    model: row.model,
    completion_window: row.completion_window,
    created_at: isoOf(row.created_at),
    expires_at: isoOf(row.expires_at),
    ended_at: toIsoOrNull(microsOfMs(row.completed_at ?? row.failed_at ?? row.expired_at ?? row.cancelled_at)),
    request_counts: { total, completed, failed, cancelled, expired },
    usage: {
      input_tokens: row.input_tokens,
      cached_tokens: row.cached_tokens,
      output_tokens: row.output_tokens,
      reasoning_tokens: row.reasoning_tokens,
    },
  }
}

function isoOf(millis: number): string {
  return toIso(millis * 1000)
}

function microsOfMs(millis: number | null): number | null {
  return millis === null ? null : millis * 1000
}

export async function batchWithId(context: AdminContext, id: string): Promise<JsonObject> {
  const [json] = await withAccountNames(context, [batchJson(await batchOf(context.store, id))])
  return json!
}

/** Cancels a batch of any account. A batch that has ended, or whose lines have, stays as it is. */
export async function cancelBatchOf(context: AdminContext, id: string): Promise<JsonObject> {
  const row = await audited(context, async session => {
    const before = await batchOf(session, id)
    if (hasEnded(before.status as BatchStatus) || !(await cancelBatch(session, id, Math.floor(context.now / 1000))))
      return { change: undefined, result: before }
    const after = await batchOf(session, id)
    const change = {
      ...{ action: 'batch.cancel', target: id, account: before.account_id },
      ...{ before: { status: before.status }, after: { status: after.status } },
    }
    return { change, result: after }
  })
  const [json] = await withAccountNames(context, [batchJson(row)])
  return json!
}

async function batchOf(session: Session, id: string): Promise<BatchRow> {
  return (await batchById(session, id)) ?? fail('http_404', { problem: 'There is no batch with this id.' })
}

type Pause = { readonly model: string; readonly paused: boolean }

/** Sends no further lines for a model. Lines in flight go on. */
export async function pauseBatches(
  context: AdminContext,
  { model: wanted }: { readonly model: string },
): Promise<Pause> {
  const { config, now } = context
  const model = knownModelId(config, 'model', wanted)
  return audited(context, async session => {
    const isPaused = (await pausedModels(session)).has(model)
    if (!isPaused) await pauseModel(session, model, Math.floor(now / 1000))
    const change = isPaused ? undefined : { action: 'batch.pause', target: model }
    return { change, result: { model, paused: true } }
  })
}

/** Ends a pause, also of a model that is no longer configured. */
export async function resumeBatches(
  context: AdminContext,
  { model: wanted }: { readonly model: string },
): Promise<Pause> {
  const { config } = context
  const model = modelId(config, wanted) ?? wanted
  return audited(context, async session => {
    const wasPaused = await resumeModel(session, model)
    if (!wasPaused) knownModelId(config, 'model', model)
    const change = wasPaused ? { action: 'batch.resume', target: model } : undefined
    return { change, result: { model, paused: false } }
  })
}
