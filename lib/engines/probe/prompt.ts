import type { JsonObject } from '../../base/json.ts'
import { PROFILES } from '../../config/profile.ts'
import { inlinedReasoning } from '../encode/messages.ts'
import { promptTokens } from './reply.ts'
import { chat, type ProbeSession, QUESTION, user } from './session.ts'

export interface PromptFindings {
  readonly system_inline: boolean
  readonly developer_role: boolean
  /** Reasoning of an earlier assistant message reaches the prompt. Many chat templates remove it. */
  readonly preserve_thinking: boolean
}

/** Long enough to show in the number of prompt tokens, unless the chat template ignores it. */
const LONG_TEXT = 'The harbour master keeps a list of every ship that passes the gate by day and by night. '.repeat(2)
const LONG_TEXT_TOKENS = 20

const ANSWER = { role: 'assistant', content: 'Hello.' }

/** How the chat template treats messages that not every template supports. */
export async function probePrompt(session: ProbeSession, reasoning: boolean): Promise<PromptFindings> {
  const plain = [user(QUESTION), ANSWER, user(QUESTION)]
  if (promptTokens(await chat(session, { messages: plain })) === undefined) {
    session.note('Does not count prompt tokens, so what its chat template makes of unusual messages is unknown.')
    const { system_inline, developer_role } = PROFILES[session.engine]
    return { system_inline, developer_role, preserve_thinking: false }
  }
  const system = { role: 'system', content: LONG_TEXT }
  const system_inline = await uses(session, plain, [user(QUESTION), ANSWER, system, user(QUESTION)])
  const developer = { role: 'developer', content: LONG_TEXT }
  const developer_role = await uses(session, [user(QUESTION)], [developer, user(QUESTION)])
  const thoughtful = { ...ANSWER, content: inlinedReasoning(LONG_TEXT) + ANSWER.content }
  const preserve_thinking = reasoning && (await uses(session, plain, [user(QUESTION), thoughtful, user(QUESTION)]))
  return { system_inline, developer_role, preserve_thinking }
}

/** Whether the longer conversation is accepted and has more prompt tokens. */
async function uses(session: ProbeSession, short: JsonObject[], long: JsonObject[]): Promise<boolean> {
  const before = promptTokens(await chat(session, { messages: short }))
  const after = promptTokens(await chat(session, { messages: long }))
  return before !== undefined && after !== undefined && after - before >= LONG_TEXT_TOKENS
}
