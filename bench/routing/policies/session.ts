import { hashed } from '../workloads.ts'
import type { RunningPolicy } from './policy.ts'

/** All requests of a session go to the same backend. */
export function session(): RunningPolicy {
  return { choose: (candidates, { session: { id } }) => candidates[hashed(id) % candidates.length]! }
}
