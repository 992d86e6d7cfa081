import type { ListedBelief } from '../../backends/backend-list.ts'
import { type Html, html } from '../../pages/html.ts'
import { htmlTable } from '../../pages/table.ts'
import type { LiveRow } from '../live/dashboard.ts'
import { backendLink, modelLink } from './links.ts'
import { numberText, timeText } from './text.ts'

const HEADS = ['Model', 'Backend', 'Prefill tokens/s#', 'Floor#', 'Decode step#', 'Cache tokens#']

/** What routing assumes about each backend (docs/ROUTING.md#what-is-learnt). Nothing if no model is routed by cost. */
export function beliefTable(rows: readonly LiveRow[]): Html {
  const cells = rows.flatMap(({ model, url, beliefs }) =>
    beliefs === null
      ? []
      : [
          [
            modelLink(model),
            backendLink(model, url),
            cell(beliefs.prefill_tokens_per_second, numberText),
            cell(beliefs.floor_ms, tenths),
            cell(beliefs.decode_step_ms, tenths),
            cell(beliefs.cache_tokens, numberText),
          ],
        ],
  )
  if (cells.length === 0) return html``
  return html`<details id="beliefs"><summary>What routing assumes</summary>
${htmlTable('Speeds and cache sizes, with the replies that they depend on and the time of their last change', HEADS, cells)}</details>`
}

const tenths = (ms: number) => `${numberText(ms, 1)} ms`

function cell(belief: ListedBelief, textOf: (value: number) => string): Html {
  const { value, source, samples, moved_at, engine, contradicts_pool } = belief
  const origin = {
    set: 'configured',
    engine: 'reported by the engine',
    replies: samples === 0 ? 'no samples' : `${samples} ${samples === 1 ? 'sample' : 'samples'}`,
  }[source]
  const facts = [
    origin,
    ...(moved_at === null ? [] : [`changed ${timeText(moved_at)}`]),
    ...(engine === null || source === 'engine' ? [] : [`engine: ${textOf(engine)}`]),
  ]
  const warning = contradicts_pool && html`<br><span class="error">contradicts the pool</span>`
  return html`${textOf(value)}<br><small>${facts.join(', ')}</small>${warning}`
}
