/** Sorting of tables by links in their heads, which work without script: `?sort=cost&order=desc`. */
import type { Order } from '../base/order.ts'
import { type Html, html } from './html.ts'

/** How the rows of a page are sorted. */
export interface Sorting {
  /** Name of a column; null: the rows have the order of their list. */
  readonly by: string | null
  readonly order: Order
  /** Path of the page with another order; the filters stay. */
  hrefOf(name: string, order: Order): string
}

/** A column of a table. One without a value does not sort. */
export interface SortableColumn {
  readonly name: string
  readonly head: string
  readonly value?: unknown
}

interface SortablePage {
  readonly path: string
  readonly query: URLSearchParams
  /** Of all tables of the page. Those with a value sort. */
  readonly columns: readonly SortableColumn[]
  /** Id of an element to which the links lead. */
  readonly anchor?: string
}

/** The sorting that a query asks for. A text: why the query is refused. */
export function sortingOf({ path, query, columns, anchor }: SortablePage): Sorting | string {
  const by = query.get('sort') || null
  const sortable = columns.filter(({ value }) => value !== undefined)
  const column = sortable.find(({ name }) => name === by)
  const order = query.get('order') || (column === undefined ? 'asc' : firstOrder(column.head))
  const names = [...new Set(sortable.map(({ name }) => name))]
  if (by !== null && column === undefined) return `'sort' must be of ${names.join(', ')}.`
  if (order !== 'asc' && order !== 'desc') return `'order' must be asc or desc.`
  return {
    by,
    order,
    hrefOf(name, wanted) {
      const next = new URLSearchParams(query)
      for (const dropped of ['cursor', 'before', 'done']) next.delete(dropped)
      next.set('sort', name)
      next.set('order', wanted)
      return `${path}?${next.toString()}${anchor === undefined ? '' : `#${anchor}`}`
    },
  }
}

/** Hidden fields that keep the sorting of a query in a form of filters. */
export function sortFields(query: URLSearchParams): Html {
  const fields = ['sort', 'order'].flatMap(name => {
    const value = query.get(name)
    return value === null ? [] : [html`<input type="hidden" name="${name}" value="${value}">`]
  })
  return html`${fields}`
}

/** The largest number first. The head of a column of numbers ends with `#`. */
function firstOrder(head: string): Order {
  return head.endsWith('#') ? 'desc' : 'asc'
}

/** A head that sorts. A second click reverses the order. */
export function sortHead(head: string, name: string, { by, order, hrefOf }: Sorting): Html {
  const next = by === name ? (order === 'asc' ? 'desc' : 'asc') : firstOrder(head)
  return html`<a href="${hrefOf(name, next)}">${head.replace(/#$/, '')}</a>`
}
