/** Tables of operators' pages that sort, and whose columns can be chosen. */
import { fail } from '../../errors/errors.ts'
import { type Column, chosenColumns, chosenCookie, columnForm, pathAfterChoice } from '../../pages/columns.ts'
import type { Html } from '../../pages/html.ts'
import { isSecure } from '../../pages/session-cookie.ts'
import { type SortableColumn, type Sorting, sortingOf } from '../../pages/sorting.ts'
import type { PageRequest, PageRoute } from './page.ts'
import { tokenField } from './visitor.ts'

/** The sorting that the query of a page asks for. Refuses others with their names. */
export function pageSorting(
  { query }: Pick<PageRequest, 'query'>,
  path: string,
  columns: readonly SortableColumn[],
  anchor?: string,
): Sorting {
  const sorting = sortingOf({ path, query, columns, ...(anchor === undefined ? null : { anchor }) })
  if (typeof sorting !== 'string') return sorting
  fail('schema_validation_failed', { problem: sorting }, { param: 'sort', ownParam: true })
}

interface Choice<C> {
  readonly shown: readonly C[]
  readonly form: Html
}

/** The columns of the page that this browser shows, and the form that changes them. */
export function columnChoice<C extends Column<never>>(
  { config, headers, query, visitor }: PageRequest,
  path: string,
  columns: readonly C[],
): Choice<C> {
  const shown = chosenColumns({ path, brand: config.brand }, columns, headers)
  return { shown, form: columnForm({ path }, columns, shown, query, tokenField(visitor)) }
}

/** The route of the form. `columns`: all of the page; they may depend on its query. */
export function columnRoute(path: string, columns: (request: PageRequest) => readonly Column<never>[]): PageRoute {
  return {
    method: 'POST',
    path: `${path}/columns`,
    async handle(request) {
      const { form, config, headers } = request
      const cookie = chosenCookie({ path, brand: config.brand }, columns(request), form, isSecure({ headers }))
      return { to: pathAfterChoice({ path }, form), headers: { 'set-cookie': cookie } }
    },
  }
}
