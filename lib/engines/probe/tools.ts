import type { JsonObject } from '../../base/json.ts'
import { chat, type ProbeSession } from './client.ts'
import { at, deltasOf, isOk, list, messageOf } from './reply.ts'

/** undefined: unknown. A model that does not call a tool proves nothing about its server. */
interface ToolFindings {
  readonly tools: boolean
  readonly streaming_tools: boolean | undefined
  readonly named_tool_choice: boolean | undefined
  /** The server accepts log probabilities in a stream with tools. */
  readonly stream_tools_logprobs: boolean | undefined
}

const NOTHING = { streaming_tools: undefined, named_tool_choice: undefined, stream_tools_logprobs: undefined }

/** A tool without parameters: a call of it has few tokens. */
function tool(name: string): JsonObject {
  return {
    type: 'function',
    function: { name, description: `Answers ${name}.`, parameters: { type: 'object', properties: {} } },
  }
}

const TOOLS = [tool('alpha'), tool('omega')]
/** Enough for a complete call: engines that parse calls at the end drop an incomplete one. */
const CALL_TOKENS = 64

/** Checks tools, their calls in streams, tool_choice with a function, and log probabilities in streams with tools. */
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
    session.note(
      'tool_choice "required" did not make the model call a tool: it is unknown how its server treats calls.',
    )
  }
  return {
    tools: true,
    streaming_tools: streams || (forced ? false : undefined),
    // A missing call is a finding only if a call was certain, or if another tool was called.
    named_tool_choice: names || (forced || called !== undefined || !isOk(named) ? false : undefined),
    stream_tools_logprobs,
  }
}
