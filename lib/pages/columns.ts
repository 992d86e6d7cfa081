/** Tables by columns, which sort and can be chosen. A cookie of the page keeps the choice, which needs no script. */
import type { IncomingHttpHeaders } from 'node:http'
import { type SortValue, sortedBy } from '../base/order.ts'
import { type Html, type HtmlValue, html } from './html.ts'
import { cookieAt, cookieFor } from './session-cookie.ts'
import type { Sorting } from './sorting.ts'
import { htmlTable } from './table.ts'

/** A column of columnTable(). */
export interface Column<Row> {
  /** In queries and cookies: `output_tokens`. */
  readonly name: string
  /** The header of a column of numbers ends with `#`. */
  readonly head: string
  cell(row: Row): HtmlValue
  /** The value by which the column sorts. undefined: it does not sort. */
  readonly value?: (row: Row) => SortValue
  /** `always`: it cannot be hidden. `extra`: it is hidden until it is chosen. */
  readonly shown?: 'always' | 'extra'
}

/** The value of a column by which the store sorts, for tables with `isSorted`. */
export const SORTED_BY_STORE = () => null

interface ColumnTableOptions<Row> {
  /** undefined: the table does not sort. */
  readonly sorting?: Sorting | undefined
  /** The rows have the order of `sorting`: the store has sorted them. */
  readonly isSorted?: boolean
  /** Text below a row; null: none. */
  detail?(row: Row): HtmlValue
}

/** A table of rows, which must be few: they are sorted in memory. */
export function columnTable<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { sorting, isSorted = false, detail }: ColumnTableOptions<Row> = {},
): Html {
  const value = columns.find(({ name }) => name === sorting?.by)?.value
  const list = sorting === undefined || value === undefined || isSorted ? rows : sortedBy(rows, value, sorting.order)
  const names = columns.map(column => (column.value === undefined ? null : column.name))
  return htmlTable(
    caption,
    columns.map(({ head }) => head),
    list.map(row => columns.map(({ cell }) => cell(row))),
    {
      ...(detail === undefined ? null : { details: list.map(detail) }),
      sorted: sorting && { names, sorting },
    },
  )
}

/** The page whose columns are chosen. */
interface ChosenPage {
  /** Path of the page, which is the path of its cookie. */
  readonly path: string
  readonly brand: string
}

const cookieName = ({ brand }: ChosenPage) => `${brand}_columns`

/** The columns to show: those of the cookie, or the default. Unknown names have no effect. */
export function chosenColumns<C extends Column<never>>(
  page: ChosenPage,
  columns: readonly C[],
  headers: IncomingHttpHeaders,
): readonly C[] {
  const names = cookieAt(cookieName(page), headers)?.split('.')
  return columns.filter(({ name, shown }) =>
    shown === 'always' ? true : names === undefined ? shown !== 'extra' : names.includes(name),
  )
}

/** The value of a cookie without a name. */
const NONE = '-'

/** The cookie that keeps the choice of a form for a year, or deletes it. It has known names only, each once. */
export function chosenCookie(
  page: ChosenPage,
  columns: readonly Column<never>[],
  form: URLSearchParams,
  isSecure: boolean,
): string {
  const chosen = form.getAll('column')
  const names = columns.filter(({ name, shown }) => shown !== 'always' && chosen.includes(name)).map(({ name }) => name)
  const value = form.has('default') ? '' : names.join('.') || NONE
  return cookieFor(cookieName(page), value, page.path, isSecure)
}

/** The form that chooses columns. `token`: a hidden field. It is sent to `{path}/columns`. */
export function columnForm(
  { path }: Pick<ChosenPage, 'path'>,
  columns: readonly Column<never>[],
  shown: readonly Column<never>[],
  query: URLSearchParams,
  token: Html,
): Html {
  const boxes = columns.map(column => {
    const isFixed = column.shown === 'always'
    return html`<label class="check"><input type="checkbox" name="column" value="${column.name}"${shown.includes(column) && html` checked`}${isFixed && html` disabled`}> ${column.head.replace(/#$/, '')}</label>`
  })
  return html`<details class="columns"><summary>Columns</summary>
<form method="post" action="${path}/columns">${token}<input type="hidden" name="back" value="${query.toString()}"><div class="fields">
<fieldset><legend class="hidden">Columns of the table</legend>${boxes}</fieldset>
<button>Apply</button><button class="link" name="default" value="yes">Default columns</button></div></form></details>`
}

/** Path of the page after its form was sent, with the filters that it had. */
export function pathAfterChoice({ path }: Pick<ChosenPage, 'path'>, form: URLSearchParams): string {
  const query = new URLSearchParams(form.get('back') ?? '')
  return query.size === 0 ? path : `${path}?${query.toString()}`
}
