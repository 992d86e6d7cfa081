/** The section of a version in CHANGELOG.md. Its heading is `## 1.0.1 (unreleased)` before the release. */

const heading = (version: string) => `## ${version} (unreleased)`

/** The changelog with the date of the release, such as `2026-11-28`. Throws if the version has no section. */
export function datedChangelog(changelog: string, version: string, date: string): string {
  if (!changelog.includes(`${heading(version)}\n`))
    throw new Error(`CHANGELOG.md has no section '${heading(version)}': write what has changed for users there`)
  return changelog.replace(heading(version), `## ${version} (${date})`)
}

/** The text below the heading of a version. */
export function notesOf(changelog: string, version: string): string {
  const from = changelog.indexOf('\n', changelog.indexOf(`## ${version} (`)) + 1
  const to = changelog.indexOf('\n## ', from)
  return `${changelog.slice(from, to < 0 ? undefined : to).trim()}\n`
}
