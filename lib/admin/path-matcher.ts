/** Finds rows of a table of routes by path: the API and the pages of operators each have such a table. */

interface Route {
  /** `{name}` matches one segment. */
  readonly path: string
}

export interface RouteMatch<R extends Route> {
  readonly route: R
  /** Raw values of `{name}` in the path. */
  readonly params: Readonly<Record<string, string>>
}

/** Returns a function that finds all rows with a matching path, whatever their method. */
export function pathMatcher<R extends Route>(routes: readonly R[]): (path: string) => readonly RouteMatch<R>[] {
  const patterns = routes.map(route => ({ route, pattern: patternOf(route) }))
  return path =>
    patterns.flatMap(({ route, pattern }) => {
      const match = pattern.exec(path)
      return match === null ? [] : [{ route, params: { ...match.groups } }]
    })
}

function patternOf({ path }: Route): RegExp {
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
}
