import { CHUNK_BYTES } from '../chunk-hash.ts'
import { prefillWork } from '../model-beliefs.ts'
import type { Prompt } from '../prompt.ts'
import type { RoutedBackend } from '../routed-backend.ts'

/**
 * Counts what a prompt of an interactive request costs more because lines of batches have evicted chunks of it: those
 * that no backend has cached, and that one of them would have cached without lines.
 */
export function countEvicted(
  backends: Iterable<RoutedBackend>,
  { hashes }: Prompt,
  tokensPerByte: number,
  now: number,
): void {
  let cached = 0
  let without = 0
  let at: RoutedBackend | undefined
  for (const routed of backends) {
    const { index } = routed
    const known = index.match(hashes, true)
    cached = Math.max(cached, known)
    if (!routed.hasLines(now)) continue
    const remembered = index.match(hashes, false)
    if (remembered <= Math.max(without, known)) continue
    const chunks = index.usedWithin(hashes, known, remembered, routed.ageWithoutLines(tokensPerByte, now), now)
    if (chunks <= Math.max(without, known)) continue
    without = chunks
    at = routed
  }
  if (at === undefined || without <= cached) return
  const { routing } = at.backend.config
  const tokensOf = (chunks: number) => chunks * CHUNK_BYTES * tokensPerByte
  const work = prefillWork(tokensOf(cached), tokensOf(without), routing.attention_tokens)
  at.lines.evicted(work / at.beliefs.workPerMs(routing), now)
}
