/** The policies of the benchmark by name. `cost` is the gateway's own. */
import { dynamo } from './dynamo.ts'
import { leastLoadPolicy } from './least-load.ts'
import { llmD } from './llm-d.ts'
import { oracle } from './oracle.ts'
import type { PolicyContext, RunningPolicy } from './policy.ts'
import { session } from './session.ts'

const CREATE: Readonly<Record<Exclude<Policy, 'cost'>, (context: PolicyContext) => RunningPolicy>> = {
  oracle,
  least_load: leastLoadPolicy,
  session,
  'llm-d': llmD,
  dynamo,
}

export const POLICIES = ['oracle', 'cost', 'least_load', 'session', 'llm-d', 'dynamo'] as const
export type Policy = (typeof POLICIES)[number]

/** undefined: the gateway's own policy `cost`. */
export function createPolicy(name: Policy, context: PolicyContext): RunningPolicy | undefined {
  return name === 'cost' ? undefined : CREATE[name](context)
}
