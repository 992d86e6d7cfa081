/** A session of the capability probe, for its checks. */

import type { Engine } from '../../lib/config/profile.ts'
import { ProbeClient, type ProbeSession } from '../../lib/engines/probe/client.ts'

export interface TestSession extends ProbeSession {
  readonly notes: readonly string[]
}

export function sessionWith(root: string, engine: Engine = 'vllm'): TestSession {
  const notes: string[] = []
  const client = new ProbeClient(`${root}/v1`, { timeoutMs: 5000 })
  return {
    client,
    model: 'simulated',
    engine,
    reasoningOff: {},
    shortReplyTokens: 16,
    note: text => void notes.push(text),
    notes,
  }
}
