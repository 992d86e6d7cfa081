/** Three backticks. */
const FENCE = '\x60'.repeat(3)

/** The opening fence and, optionally, a language: a word that is not JSON. The JSON may begin on the same line. */
const OPENING = /^\x60{3}(?:(?!(?:true|false|null)\b)[A-Za-z][\w+-]*)?\s*/

/** JSON without the Markdown fence that some models put around it (docs/api/responses.md#structured-output). */
export function withoutFences(text: string): string {
  const trimmed = text.trim()
  if (!trimmed.startsWith(FENCE)) return trimmed
  const inner = trimmed.replace(OPENING, '')
  // A reply that was cut short may have no closing fence.
  return (inner.endsWith(FENCE) ? inner.slice(0, -FENCE.length) : inner).trim()
}
