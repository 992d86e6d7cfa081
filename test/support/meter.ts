import type { Meter } from '../../plugins/slots.ts'

/** A meter that has seen nothing, but for these members. */
export function meterOf(members: Partial<Meter> = {}): Meter {
  return {
    inputTokens: null,
    outputTokens: null,
    cacheReadTokens: null,
    reasoningTokens: null,
    firstTokenMs: null,
    lastTokenMs: null,
    stalls: 0,
    pace: null,
    finish: null,
    matchedStopTokenId: null,
    usagePresent: false,
    usageParseError: null,
    ...members,
  }
}
