import { at, isOk } from './reply.ts'
import type { ProbeSession } from './session.ts'

export interface TextFindings {
  readonly echo: boolean
  readonly suffix: boolean
}

const PROMPT = 'The harbour lights go out'

/** What text completions do beyond continuing a prompt. Engines overlook what they cannot, so the text has to show it. */
export async function probeText({ client, model }: ProbeSession): Promise<TextFindings> {
  const echoed = await client.post(`${client.base}/completions`, { model, prompt: PROMPT, max_tokens: 1, echo: true })
  const text = at(echoed.body, 'choices', 0, 'text')
  // Whether what is written leads up to a suffix, no answer can show.
  return { echo: isOk(echoed) && typeof text === 'string' && text.startsWith(PROMPT), suffix: false }
}
