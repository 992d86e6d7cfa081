/** Canonical paths that a format spells differently, each with its replacement. The first that matches counts. */
export type ClientNames = readonly (readonly [canonical: RegExp, client: string])[]

/** The path in the client's words; unchanged where no name matches. */
export function renamed(canonical: string, names: ClientNames): string {
  for (const [pattern, client] of names) {
    if (pattern.test(canonical)) return canonical.replace(pattern, client)
  }
  return canonical
}
