import type { JsonObject } from '../../base/json.ts'
import { at, deltasOf, isOk, list, messageOf } from './reply.ts'
import { chat, type ProbeSession } from './session.ts'

/** undefined: unknown. A model that makes no call although it may proves nothing about its server. */
export interface ToolFindings {
  readonly tools: boolean
  readonly streaming_tools: boolean | undefined
  readonly named_tool_choice: boolean | undefined
  /** A stream with tools may have log probabilities. */
  readonly stream_tools_logprobs: boolean | undefined
}

const NOTHING = { streaming_tools: undefined, named_tool_choice: undefined, stream_tools_logprobs: undefined }

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
    return { ...NOTHING, tools: false, streaming_tools: false }
  }
  const logprobs = { logprobs: true, top_logprobs: 1, tool_choice: 'auto', max_tokens: 1 }
  const whole = isOk(await ask(logprobs))
  const streamedLogprobs = await ask({ ...logprobs, stream: true })
  const stream_tools_logprobs = whole ? streamedLogprobs.events.length > 0 : undefined

  const forced = list(at(messageOf(await ask({ tool_choice: 'required' })), 'tool_calls')).length > 0
  const streamed = deltasOf(await ask({ tool_choice: 'required', stream: true }))
  const streams = streamed.some(delta => list(at(delta, 'tool_calls')).length > 0)
  const named = await ask({ tool_choice: { type: 'function', function: { name: 'omega' } } })
  const called = at(messageOf(named), 'tool_calls', 0, 'function', 'name')
  const names = called === 'omega'
  if (!forced) {
    session.note('tool_choice "required" did not make the model call a tool: unknown what its server does with calls.')
  }
  return {
    tools: true,
    streaming_tools: streams || (forced ? false : undefined),
    // Only where a call was certain, or one of another tool came, is a missing one a finding.
    named_tool_choice: names || (forced || called !== undefined || !isOk(named) ? false : undefined),
    stream_tools_logprobs,
  }
}
