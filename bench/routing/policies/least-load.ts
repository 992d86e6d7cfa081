import { leastLoad } from '../../../lib/backends/model-backends.ts'
import type { PolicyContext, RunningPolicy } from './policy.ts'

/** The gateway's policy `least_load`. */
export function leastLoadPolicy({ random }: PolicyContext): RunningPolicy {
  return { choose: candidates => leastLoad(candidates, random) }
}
