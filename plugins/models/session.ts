import { type BodyPhase, withoutDecoding } from '../../lib/plugin.ts'

/** Headers in which agents name their session, by precedence: Claude Code has its own, Codex the last two. */
const HEADERS = ['x-session-id', 'x-claude-code-session-id', 'session-id', 'thread-id'] as const

const MAX_BYTES = 256

/**
 * The name of the client's session: the first valid one of a configured header, the headers of agents, and the body's
 * `prompt_cache_key`. `configured`: a header, in lower case.
 */
export function sessionOf(
  { headers, body }: Pick<BodyPhase, 'headers' | 'body'>,
  configured: string | undefined,
): string | undefined {
  if (configured !== undefined && isName(headers[configured])) return headers[configured]
  for (const name of HEADERS) {
    const value = headers[name]
    if (isName(value)) return value
  }
  // A text that is not decoded reads as its start and a placeholder, which is longer than a name.
  const key = withoutDecoding(() => body.prompt_cache_key)
  return isName(key) ? key : undefined
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= MAX_BYTES
}
