const FENCE = '```'

/** JSON without the Markdown fence that some models put around it (api.md "Input items", rule 8). */
export function withoutFences(text: string): string {
  const trimmed = text.trim()
  if (!trimmed.startsWith(FENCE)) return trimmed
  // The first line is the fence and perhaps a language; a cut reply may have no closing one.
  const firstLineEnd = trimmed.indexOf('\n')
  const inner = firstLineEnd < 0 ? trimmed.slice(FENCE.length) : trimmed.slice(firstLineEnd + 1)
  return (inner.endsWith(FENCE) ? inner.slice(0, -FENCE.length) : inner).trim()
}
