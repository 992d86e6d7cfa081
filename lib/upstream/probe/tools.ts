import type { JsonObject } from '../../base/json.ts'
import { at, deltasOf, isOk, list, messageOf } from './reply.ts'
import { chat, type ProbeSession } from './session.ts'

export interface ToolFindings {
  readonly tools: boolean
  readonly streaming_tools: boolean
  readonly named_tool_choice: boolean
}

/** Without parameters, so that a call has few tokens. */
function tool(name: string): JsonObject {
  return {
    type: 'function',
    function: { name, description: `Answers ${name}.`, parameters: { type: 'object', properties: {} } },
  }
}

const TOOLS = [tool('alpha'), tool('omega')]
/** Enough for a whole call: engines that parse calls at their end drop an incomplete one. */
const CALL_TOKENS = 64

export async function probeTools(session: ProbeSession): Promise<ToolFindings> {
  const max_tokens = Math.max(CALL_TOKENS, session.shortReplyTokens)
  const ask = (more: JsonObject) => chat(session, { tools: TOOLS, max_tokens, ...more })
  if (!isOk(await ask({ tool_choice: 'auto', max_tokens: 1 }))) {
    session.note('Refuses tools. vLLM needs --enable-auto-tool-choice and --tool-call-parser for them.')
    return { tools: false, streaming_tools: false, named_tool_choice: false }
  }
  const forced = list(at(messageOf(await ask({ tool_choice: 'required' })), 'tool_calls'))
  if (forced.length === 0) session.note('tool_choice "required" did not make the model call a tool.')
  const streamed = deltasOf(await ask({ tool_choice: 'required', stream: true }))
  const named = await ask({ tool_choice: { type: 'function', function: { name: 'omega' } } })
  return {
    tools: true,
    streaming_tools: streamed.some(delta => list(at(delta, 'tool_calls')).length > 0),
    named_tool_choice: at(messageOf(named), 'tool_calls', 0, 'function', 'name') === 'omega',
  }
}
