/** Reloads, drains and ejections on pages: marks in plots, and the same events in a table. */
import type { JsonObject } from '../../base/json.ts'
import { type Html, html } from '../../pages/html.ts'
import { addressHtml, timeHtml } from '../../pages/parts.ts'
import { htmlTable, type PlotMark } from '../../pages/table.ts'
import { actorLink, backendLink, modelLink } from './links.ts'
import { NOTHING, textOf } from './text.ts'

const EVENTS: Readonly<Record<string, { readonly text: string; readonly mark: Omit<PlotMark, 'at'> }>> = {
  reload: { text: 'configuration reloaded', mark: { text: 'reload' } },
  ejected: { text: 'ejected', mark: { text: 'ejected', kind: 'bad' } },
  readmitted: { text: 'readmitted', mark: { text: 'readmitted' } },
  drain: { text: 'drain began', mark: { text: 'drain', kind: 'warn' } },
  undrain: { text: 'drain ended', mark: { text: 'drain ended' } },
}

/** A mark for each event, oldest first. */
export function marksOf(events: readonly JsonObject[]): readonly PlotMark[] {
  return events.toReversed().flatMap(({ at, kind }) => {
    const mark = EVENTS[String(kind)]?.mark
    return mark === undefined ? [] : [{ at: Math.round(Date.parse(String(at)) / 1000), ...mark }]
  })
}

interface Shown {
  /** The events belong to one backend, to the backends of one model, or to all. */
  readonly of: 'backend' | 'model' | 'all'
  /** The model of events without one. */
  readonly model?: string
}

/** Newest first. */
export function eventTable(events: readonly JsonObject[], { of, model: own }: Shown): Html {
  if (events.length === 0) return html`<p>There was no reload, drain or ejection in this time.</p>`
  const rows = events.map(({ at, kind, model: ofEvent, url, reason, actor }) => {
    const model = typeof ofEvent === 'string' ? ofEvent : own
    return [
      timeHtml(at),
      EVENTS[String(kind)]?.text ?? textOf(kind),
      ...(of === 'all' ? [model === undefined ? NOTHING : modelLink(model)] : []),
      ...(of === 'backend' ? [] : [backendCell(model, url)]),
      textOf(reason).replaceAll('_', ' '),
      typeof actor === 'string' ? actorLink(actor) : NOTHING,
    ]
  })
  const places = { backend: [], model: ['Backend'], all: ['Model', 'Backend'] }[of]
  return htmlTable('Events, newest first', ['Time', 'Event', ...places, 'Reason', 'By'], rows)
}

function backendCell(model: string | undefined, url: unknown): Html | string {
  if (typeof url !== 'string') return NOTHING
  return model === undefined ? addressHtml(url) : backendLink(model, url)
}
