import { EFFORTS } from '../../canonical/request.ts'
import type { BackendError } from '../decode/error.ts'

/** Words behind which engines list what they accept. */
const LIST = /\b(?:should be|must be|supported|one of|expected|allowed|valid)\b(.{0,300})/is
const WORD = new RegExp(`\\b(?:${EFFORTS.join('|')})\\b`, 'g')

/**
 * The reasoning efforts that an engine names when it refuses another one, weakest first; undefined where the refusal is
 * about something else, or names none. Wordings: vLLM and SGLang (`Input should be 'low', 'medium' or 'high'`), chat
 * templates (`Supported types are xhigh (default), medium, and low`).
 */
export function namedEfforts({ message, param }: BackendError): readonly string[] | undefined {
  if (param !== 'reasoning_effort' && !/reasoning[ _]effort/i.test(message)) return undefined
  const named: readonly string[] = LIST.exec(message)?.[1]?.match(WORD) ?? []
  return named.length === 0 ? undefined : EFFORTS.filter(effort => named.includes(effort))
}
