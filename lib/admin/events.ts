/** Reloads, drains and ejections for operators: marks in plots. */
import { addressOf } from '../backends/backend.ts'
import type { JsonObject } from '../base/json.ts'
import { toIso } from '../base/time.ts'
import { type AuditFilter, listAudit } from '../store/audit.ts'
import { listBackendEvents } from '../store/backend-events.ts'
import type { AdminContext } from './context.ts'

/** A query that `schemas/admin/backend-event-query.json` accepts. */
export interface EventQuery {
  readonly model?: string
  readonly range: '1h' | '24h' | '7d' | '30d'
}

const MAX_EVENTS = 200
const HOUR = 3_600_000_000
const HOURS = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 } as const

/** Events of one model, or of all, until now. */
export async function eventList(context: AdminContext, { model, range }: EventQuery): Promise<JsonObject> {
  const to = context.now + 1
  const from = context.now - HOURS[range] * HOUR
  return { range, from: toIso(from), events: await eventsOf(context, { model, url: null, from, to }) }
}

interface EventFilter {
  /** undefined: all models. */
  readonly model: string | undefined
  /** null: all backends. */
  readonly url: string | null
  /** Microseconds since the epoch, as `to`, which is exclusive. */
  readonly from: number
  readonly to: number
}

const DRAINS = { 'backend.drain': 'drain', 'backend.undrain': 'undrain' } as const

/** Newest first. `actor`: who has drained the backend. */
export async function eventsOf({ store, config }: AdminContext, filter: EventFilter): Promise<JsonObject[]> {
  const { model, url, from, to } = filter
  const seen = (await listBackendEvents(store, { model, backend: url ?? undefined, from, to, limit: MAX_EVENTS })).map(
    ({ kind, model: of, backend, reason, at }) => ({
      ...{ at: toIso(at), kind, model: of === '' ? null : of, url: backend === '' ? null : backend },
      ...{ reason: reason === '' ? null : reason, actor: null },
    }),
  )
  const addresses = config.models.find(({ id }) => id === model)?.backends.map(one => addressOf(one.url)) ?? []
  const targets = url === null ? undefined : [url]
  // A drain without a model is of all models at its address.
  const about: readonly Pick<AuditFilter, 'change' | 'targets'>[] =
    model === undefined
      ? [{}]
      : [
          { change: { model }, targets },
          { change: { model: null }, targets: targets ?? addresses },
        ]
  const drains: JsonObject[] = []
  for (const [action, kind] of Object.entries(DRAINS)) {
    for (const of of about) {
      if (of.targets?.length === 0) continue
      const { entries } = await listAudit(store, { action, from, to, ...of }, undefined, MAX_EVENTS)
      for (const { created_at: at, target, actor, before, after } of entries) {
        const { model: ofEntry } = (after ?? before) as JsonObject
        drains.push({ at: at!, kind, model: ofEntry!, url: target!, reason: 'operator', actor: actor! })
      }
    }
  }
  return [...seen, ...drains].toSorted((a, b) => (String(a.at) < String(b.at) ? 1 : -1)).slice(0, MAX_EVENTS)
}
