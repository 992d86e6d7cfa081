/** Tables of pages, and plots of them. */
import { type Html, type HtmlValue, html } from './html.ts'

/**
 * A table that scrolls by itself where it is wider than the screen, so that the rest of the page stays as wide as that. A head
 * that ends with `#` is that of a column of numbers.
 */
export function htmlTable(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly HtmlValue[])[],
  attributes: Html | null = null,
): Html {
  const isNumeric = heads.map(head => head.endsWith('#'))
  const classOf = (at: number) => isNumeric[at] === true && html` class="number"`
  const head = heads.map((text, at) => html`<th scope="col"${classOf(at)}>${text.replace(/#$/, '')}</th>`)
  const body = rows.map(cells => html`<tr>${cells.map((cell, at) => html`<td${classOf(at)}>${cell}</td>`)}</tr>\n`)
  return html`<div class="wide" role="region" aria-label="${caption}" tabindex="0"><table${attributes}><caption>${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>`
}

/** One line of a plot. */
export interface Series {
  readonly label: string
  /** As many as the plot has times; null: a gap. */
  readonly values: readonly (number | null)[]
}

/** Numbers over time, as shared/plot.js draws them. */
export interface Plot {
  /** Says what the plot shows, for those who do not see it: the same numbers must be in a table beside it. */
  readonly label: string
  /** Seconds since the epoch, ascending. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  /** `bars` for sums of periods; `line`: measured at moments. */
  readonly shape: 'bars' | 'line'
  /** Behind numbers: `ms`. */
  readonly unit?: string
}

/** Where shared/plot.js draws. Without script it is hidden, for screen readers too. */
export function htmlPlot({ label, ...data }: Plot): Html {
  return html`<div class="plot" role="img" aria-label="${label}" data-plot="${JSON.stringify(data)}" hidden></div>`
}
