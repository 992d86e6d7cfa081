/** A session of the probe, as its single checks receive one. */

import type { Engine } from '../../lib/config/profile.ts'
import { ProbeClient } from '../../lib/engines/probe/client.ts'
import type { ProbeSession } from '../../lib/engines/probe/session.ts'

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
