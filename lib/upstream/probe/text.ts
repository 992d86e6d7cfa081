import { at, isOk } from './reply.ts'
import type { ProbeSession } from './session.ts'

export interface TextFindings {
  readonly echo: boolean
  readonly suffix: boolean
}

const PROMPT = 'The harbour lights go out'

/** Extra members of text completions. Engines ignore those that they do not support, so the text has to prove them. */
export async function probeText({ client, model }: ProbeSession): Promise<TextFindings> {
  const echoed = await client.post(`${client.base}/completions`, { model, prompt: PROMPT, max_tokens: 1, echo: true })
  const text = at(echoed.body, 'choices', 0, 'text')
  // No text proves that a suffix was taken into account.
  return { echo: isOk(echoed) && typeof text === 'string' && text.startsWith(PROMPT), suffix: false }
}
