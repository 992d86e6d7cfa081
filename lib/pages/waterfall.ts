import { type Html, type HtmlValue, html } from './html.ts'
import { durationText } from './parts.ts'
import { htmlTable } from './table.ts'

/** Determines the colour of a bar. */
export type SpanKind = 'gateway' | 'wait' | 'attempt' | 'failed' | 'backend' | 'first' | 'tokens'

/** One row of a waterfall. Times are milliseconds since the start of the whole. */
export interface Span {
  readonly name: HtmlValue
  readonly from: number
  readonly to: number
  readonly kind: SpanKind
  /** The span is a part of one above it. */
  readonly isPart?: boolean
  /** What happens in this time. */
  readonly what?: HtmlValue
}

interface Waterfall {
  readonly caption: string
  readonly spans: readonly Span[]
  readonly total: number
}

const WIDTH = 1000
/** A shorter span would not be visible. */
const MIN_WIDTH = 4

/** Spans of time below each other. The numbers are in the same table, so the bars are for sighted users only. */
export function htmlWaterfall({ caption, spans, total }: Waterfall): Html {
  const scale = WIDTH / Math.max(1, total)
  const hasWhat = spans.some(({ what }) => what !== undefined)
  const rows = spans.map(({ name, from, to, kind, isPart = false, what = null }) => {
    const width = Math.max(MIN_WIDTH, (to - from) * scale)
    const x = Math.min(from * scale, WIDTH - width)
    const bar = html`<svg class="span" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="${WIDTH}" height="10"></rect><rect class="span-${kind}" x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="10"></rect></svg>`
    const shown = isPart ? html`<span class="part">${name}</span>` : name
    return [shown, bar, durationText(from), durationText(to - from), ...(hasWhat ? [what] : [])]
  })
  const heads = ['Part', `0 to ${durationText(total)}`, 'Begins at#', 'Took#', ...(hasWhat ? ['What'] : [])]
  return html`<div class="waterfall">${htmlTable(caption, heads, rows)}</div>`
}
