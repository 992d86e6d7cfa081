import { type Html, type HtmlValue, html } from './html.ts'

/** A table that scrolls by itself if it is too wide. `heads`: the header of a column of numbers ends with `#`. */
export function htmlTable(caption: string, heads: readonly string[], rows: readonly (readonly HtmlValue[])[]): Html {
  const isNumeric = heads.map(head => head.endsWith('#'))
  const classOf = (at: number) => isNumeric[at] === true && html` class="number"`
  const head = heads.map((text, at) => html`<th scope="col"${classOf(at)}>${text.replace(/#$/, '')}</th>`)
  const body = rows.map(cells => html`<tr>${cells.map((cell, at) => html`<td${classOf(at)}>${cell}</td>`)}</tr>\n`)
  return html`<div class="wide" role="region" aria-label="${caption}" tabindex="0"><table><caption>${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>`
}

/** One line of a plot. */
export interface Series {
  readonly label: string
  /** One value for each time of the plot; null: a gap. */
  readonly values: readonly (number | null)[]
}

/** A time series. shared/plot.js draws it. */
export interface Plot {
  /** Text for screen readers. The same numbers must be in a table next to the plot. */
  readonly label: string
  /** Seconds since the epoch, ascending. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  /** `bars`: sums of periods; `line`: samples. */
  readonly shape: 'bars' | 'line'
  /** Unit after the numbers: `ms`. */
  readonly unit?: string
}

/** The element in which shared/plot.js draws. Without scripts it is hidden, also from screen readers. */
export function htmlPlot({ label, ...data }: Plot): Html {
  return html`<div class="plot" role="img" aria-label="${label}" data-plot="${JSON.stringify(data)}" hidden></div>`
}
