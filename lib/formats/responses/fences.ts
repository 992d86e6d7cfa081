const FENCE = '```'

/** The opening fence and perhaps a language, which is no JSON itself. The JSON may begin on the same line. */
const OPENING = /^```(?:(?!(?:true|false|null)\b)[A-Za-z][\w+-]*)?\s*/

/** JSON without the Markdown fence that some models put around it (docs/api/responses.md#structured-output). */
export function withoutFences(text: string): string {
  const trimmed = text.trim()
  if (!trimmed.startsWith(FENCE)) return trimmed
  const inner = trimmed.replace(OPENING, '')
  // A cut reply may have no closing one.
  return (inner.endsWith(FENCE) ? inner.slice(0, -FENCE.length) : inner).trim()
}
