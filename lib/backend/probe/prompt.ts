import type { JsonObject } from '../../json.ts'
import { type BackendProfile, PROFILES } from '../profile.ts'
import { promptTokens } from './reply.ts'
import { chat, type ProbeSession, QUESTION, user } from './session.ts'

export interface PromptFindings {
  readonly system_inline: boolean
  readonly developer_role: boolean
  readonly reasoning_in_field: BackendProfile['reasoning_in_field']
  /** Reasoning of turns before the last question reaches the prompt. */
  readonly preserve_thinking: boolean
}

/** Long enough to be missed: the count of prompt tokens tells whether a template used it or dropped it without a word. */
const LONG_TEXT = 'The harbour master keeps a list of every ship that passes the gate by day and by night. '.repeat(2)
const LONG_TEXT_TOKENS = 20

const ANSWER = { role: 'assistant', content: 'Hello.' }
const CALL = {
  role: 'assistant',
  content: '',
  tool_calls: [{ id: 'call_0', type: 'function', function: { name: 'alpha', arguments: '{}' } }],
}
const RESULT = { role: 'tool', tool_call_id: 'call_0', content: 'alpha' }
const TOOL = { type: 'function', function: { name: 'alpha', parameters: { type: 'object', properties: {} } } }

/** What the chat template does with messages that not every template takes. */
export async function probePrompt(session: ProbeSession, reasoning: boolean): Promise<PromptFindings> {
  const usual = PROFILES[session.engine]
  const plain = [user(QUESTION), ANSWER, user(QUESTION)]
  if (promptTokens(await chat(session, { messages: plain })) === undefined) {
    session.note('Does not count prompt tokens, so what its chat template makes of unusual messages is unknown.')
    const { system_inline, developer_role, reasoning_in_field } = usual
    return { system_inline, developer_role, reasoning_in_field, preserve_thinking: false }
  }
  const system = { role: 'system', content: LONG_TEXT }
  const system_inline = await uses(session, plain, [user(QUESTION), ANSWER, system, user(QUESTION)])
  const developer = { role: 'developer', content: LONG_TEXT }
  const developer_role = await uses(session, [user(QUESTION)], [developer, user(QUESTION)])
  const carried = reasoning
    ? await carriedReasoning(session, plain)
    : { reasoning_in_field: usual.reasoning_in_field, preserve_thinking: false }
  return { system_inline, developer_role, ...carried }
}

type Carried = Pick<PromptFindings, 'reasoning_in_field' | 'preserve_thinking'>

async function carriedReasoning(session: ProbeSession, plain: JsonObject[]): Promise<Carried> {
  const usual = PROFILES[session.engine].reasoning_in_field
  const fields = (['reasoning', 'reasoning_content'] as const).toSorted(
    (a, b) => Number(b === usual) - Number(a === usual),
  )
  for (const field of fields) {
    if (await uses(session, plain, [user(QUESTION), { ...ANSWER, [field]: LONG_TEXT }, user(QUESTION)])) {
      return { reasoning_in_field: field, preserve_thinking: true }
    }
  }
  // Most templates keep reasoning only while the model works on an answer: between its calls and their results.
  const working = [user(QUESTION), CALL, RESULT]
  for (const field of fields) {
    if (await uses(session, working, [user(QUESTION), { ...CALL, [field]: LONG_TEXT }, RESULT])) {
      return { reasoning_in_field: field, preserve_thinking: false }
    }
  }
  return { reasoning_in_field: null, preserve_thinking: false }
}

/** True when the longer conversation is accepted and is longer for the model, too. */
async function uses(session: ProbeSession, short: JsonObject[], long: JsonObject[]): Promise<boolean> {
  const tools = short.includes(RESULT) ? { tools: [TOOL] } : {}
  const before = promptTokens(await chat(session, { messages: short, ...tools }))
  const after = promptTokens(await chat(session, { messages: long, ...tools }))
  return before !== undefined && after !== undefined && after - before >= LONG_TEXT_TOKENS
}
