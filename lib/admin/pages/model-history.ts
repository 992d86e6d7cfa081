/** The page of a model over time: traffic, queue, limits, saturation, and its backends. */
import type { JsonObject } from '../../base/json.ts'
import { type Html, html } from '../../pages/html.ts'
import { htmlTabs } from '../../pages/parts.ts'
import { stateHtml } from './backends.ts'
import { eventTable } from './events.ts'
import { filled } from './form.ts'
import {
  DEFAULT_RANGE,
  EMPTY,
  type History,
  HOURS,
  historyPlots,
  isEmpty,
  pointTable,
  rangeLinks,
  unitText,
} from './history.ts'
import { modelPlots, saturationOf, totalCards } from './history-plots.ts'
import { htmlCards, type PageRoute } from './page.ts'
import { backendPath, modelHistoryPath, stripsPath } from './paths.ts'
import { decoded, numberText, requestsHref } from './text.ts'

/** Links to the parts of the page of a model. */
export function modelTabs(model: string, current: 'Entry' | 'Over time'): Html {
  const tabs = [
    ['Entry', `/models/${encodeURIComponent(model)}`],
    ['Over time', modelHistoryPath(model)],
  ] as const
  return html`<p><a href="/models">All models</a></p>
${htmlTabs('Model', tabs, current)}`
}

export const modelHistoryRoute: PageRoute = {
  method: 'GET',
  path: '/models/{id}/history',
  async handle({ params, query, call }) {
    const model = decoded(params.id!)
    const range = filled(query, 'range') ?? DEFAULT_RANGE
    const history = (await call('model-history', { params, query: { range } })) as unknown as History
    const backends = ((await call('backends')).backends as JsonObject[]).filter(one => one.model === model)
    const links = backends.map(
      one => html`<li><a href="${backendPath(model, String(one.url))}">${String(one.url)}</a> ${stateHtml(one)}</li>`,
    )
    const { total } = history
    const cards = [
      ...totalCards(total, more => requestsHref({ model, since: HOURS[range] ?? '24', ...more })),
      ['Saturation', html`${unitText(saturationOf(total), '%')}<small>in flight ÷ limit</small>`] as const,
      ['Queue', html`${numberText(total.queue_mean, 1)}<small>at most ${numberText(total.queue_max)}</small>`] as const,
      ['Turned away', html`${numberText(total.turned_away)}<small>no backend could take them</small>`] as const,
    ]
    const body = html`${modelTabs(model, 'Over time')}
${rangeLinks(range, one => modelHistoryPath(model, one))}
${isEmpty(history) ? EMPTY : html`${htmlCards(cards)}${historyPlots(history, modelPlots(history))}${pointTable(history)}`}
<h2 id="backends">Backends</h2>
${links.length === 0 ? html`<p>It has no backend.</p>` : html`<ul>${links}</ul><p><a href="${stripsPath(model, range)}">Compare them</a></p>`}
<h2>Reloads, drains and ejections</h2>
${eventTable(history.events, { of: 'model', model })}
<p class="soft">TTFT and time per token are of streams of clients. Requests, failures and tokens include batches and requests of the gateway itself.</p>`
    return { title: model, part: 'Over time', path: '/models', script: 'plot.js', body }
  },
}
