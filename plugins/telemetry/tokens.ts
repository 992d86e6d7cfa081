import type { Chunk } from '../../lib/plugin.ts'

/** A longer pause between two tokens is a stall (docs/api/README.md#limits). */
export const STALL_MS = 1000

/** True if the chunk contains generated output. Chunks with only a role or usage do not. */
export function hasTokens({ text, reasoning, toolCalls, refusal }: Chunk): boolean {
  return Boolean(text || reasoning || toolCalls !== undefined || refusal)
}
