import { type Html, type HtmlValue, html } from './html.ts'
import { NOTHING } from './parts.ts'
import { type Sorting, sortHead } from './sorting.ts'

interface TableOptions {
  /** Text below a row, across all columns, such as its problem; null: none. One for each row. */
  readonly details?: readonly HtmlValue[]
  /** How the rows are sorted already. `names`: of the columns; null: the column does not sort. */
  readonly sorted?: { readonly names: readonly (string | null)[]; readonly sorting: Sorting } | undefined
}

/**
 * A table. On a phone each row is a card. `heads`: the header of a column of numbers ends with `#`.
 */
export function htmlTable(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly HtmlValue[])[],
  { details = [], sorted }: TableOptions = {},
): Html {
  const names = heads.map(head => head.replace(/(?<=.)#$/, ''))
  const isNumber = (at: number) => names[at] !== heads[at]
  const classOf = (at: number) => isNumber(at) && html` class="number"`
  const cellClass = (cell: HtmlValue, at: number) =>
    cell === NOTHING ? html` class="${isNumber(at) ? 'number none' : 'none'}"` : classOf(at)
  const head = names.map((name, at) => {
    const by = sorted?.names[at] ?? null
    if (sorted === undefined || by === null) return html`<th scope="col"${classOf(at)}>${name}</th>`
    const { sorting } = sorted
    const state = sorting.by === by && html` aria-sort="${sorting.order}ending"`
    return html`<th scope="col"${classOf(at)}${state}>${sortHead(heads[at]!, by, sorting)}</th>`
  })
  const body = rows.map((cells, row) => {
    const shown = cells.map((cell, at) => html`<td data-label="${names[at] ?? ''}"${cellClass(cell, at)}>${cell}</td>`)
    const detail = details[row] ?? null
    const below = detail !== null && html`<tr class="detail"><td colspan="${heads.length}">${detail}</td></tr>\n`
    return html`<tr>${shown}</tr>\n${below}`
  })
  return html`<div class="wide" role="region" aria-label="${caption}" tabindex="0"><table><caption>${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>`
}

/** One line of a plot. */
export interface Series {
  readonly label: string
  /** One value for each time of the plot; null: a gap. */
  readonly values: readonly (number | null)[]
  /** How values of one step become one: their mean, or the largest. Default: the mean. */
  readonly merge?: 'mean' | 'max'
  /** Drawn wide, so that a later line over it stays visible. */
  readonly wide?: boolean
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
  /** Zero is a gap, as of a rate without requests. */
  readonly zeroIsGap?: boolean
  /** Vertical lines with a text. A table next to the plot has them too. */
  readonly marks?: readonly PlotMark[]
}

/** What happened at a time of a plot. */
export interface PlotMark {
  /** Seconds since the epoch. */
  readonly at: number
  readonly text: string
  /** `bad`: a failure; `warn`: an intervention. Default: a fact. */
  readonly kind?: 'bad' | 'warn'
}

/** The element in which shared/plot.js draws. Without scripts it is hidden, also from screen readers. */
export function htmlPlot({ label, ...data }: Plot): Html {
  return html`<div class="plot" role="img" aria-label="${label}" data-plot="${JSON.stringify(data)}" hidden></div>`
}
