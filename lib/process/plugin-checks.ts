/** Checks members and route filters of a plugin, for authors who do not run the compiler. */

import type { Plugin, RouteFilter } from '../core/plugin.ts'
import { nearest, suggestion } from '../text/nearest.ts'
import { placements } from './placements.ts'

const MEMBERS: readonly string[] = [
  'name',
  'summary',
  'routes',
  'options',
  'needs',
  'provides',
  'wants',
  'reads',
  'after',
  'setup',
] satisfies (keyof Plugin)[]

/** Sentences about a plugin that is not declared as its author meant: a misspelt member would have no effect. */
export function declarationProblems(plugin: Plugin): readonly string[] {
  const problems: string[] = []
  for (const name of Object.keys(plugin)) {
    const meant = MEMBERS.includes(name) ? undefined : nearest(name, MEMBERS)
    if (meant !== undefined) problems.push(`the plugin has a member '${name}': did you mean '${meant}'?`)
  }
  for (const [column, wanted] of Object.entries(plugin.routes ?? {})) {
    const known = routeValues(column)
    if (known === undefined) {
      problems.push(`its routes have no column '${column}'${suggestion(column, COLUMNS) || '.'}`)
      continue
    }
    const values: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted]
    for (const value of values) {
      if (!known.has(value))
        problems.push(`there is no ${column} '${value}'${suggestion(String(value), [...known].map(String)) || '.'}`)
    }
  }
  return problems
}

const COLUMNS: readonly string[] = [
  'surface',
  'format',
  'route',
  'proxied',
  'canonical',
  'access',
] satisfies (keyof RouteFilter)[]

/** The values in each column of the route table. */
let valuesOf: ReadonlyMap<string, ReadonlySet<unknown>> | undefined

/** The values in a column of the route table; undefined: there is no such column. */
function routeValues(column: string): ReadonlySet<unknown> | undefined {
  valuesOf ??= readColumns()
  return valuesOf.get(column)
}

function readColumns(): ReadonlyMap<string, ReadonlySet<unknown>> {
  const rows = Array.from(placements(), ([route, surface]): Readonly<Record<string, unknown>> => {
    return { ...route, surface, route: route.name }
  })
  return new Map(COLUMNS.map(column => [column, new Set(rows.map(row => row[column]))]))
}
