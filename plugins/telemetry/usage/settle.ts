import type { FinishPhase, ModelTokens, PromptSize } from '../../../lib/plugin.ts'
import type { ReplyUsage } from '../../slots.ts'

type End = Pick<FinishPhase, 'outcome' | 'requestSent' | 'brokeMidStream'>

/**
 * Decides, once, which tokens a request has used (docs/USAGE.md#the-books): what the backend has counted; where it has
 * counted nothing, an estimate of what it was sent and of what it has generated; none where the client got nothing of a
 * reply. `size`: of the prompt; null: not known.
 */
export function settle(end: End, seen: ReplyUsage, size: PromptSize | null, tokens: ModelTokens): void {
  if (!isDelivered(end)) {
    seen.inputTokens = seen.outputTokens = seen.cacheReadTokens = seen.reasoningTokens = null
    return
  }
  if (seen.usagePresent) {
    // Some engines report the prompt first, and the output at the end alone, which has not come.
    if (end.outcome !== 'done' && seen.outputTokens === 0) seen.outputTokens = tokens.ofText(seen.outputBytes)
    if (size !== null && seen.inputTokens !== null) tokens.learn(size, seen.inputTokens)
    return
  }
  if (size === null) return
  seen.inputTokens = tokens.expected(size)
  seen.outputTokens = tokens.ofText(seen.outputBytes)
}

/** A backend was sent the request, and the client got its reply, the beginning of it, or left while it waited. */
function isDelivered({ outcome, requestSent, brokeMidStream }: End): boolean {
  return requestSent && (outcome !== 'failed' || brokeMidStream)
}
