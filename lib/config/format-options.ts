/** Options of the API formats. Those of a key override those of its account, which override those of the gateway. */
import type { FormatOptions } from '../canonical/format.ts'
import type { Account, ConfigFile, Key } from './generated/file.ts'

type Level = Pick<Account & Key, 'client_profile' | 'chat' | 'messages' | 'responses' | 'tools' | 'reasoning'>

type Options = Omit<FormatOptions, 'clamp_max_tokens'>

export function gatewayFormats(file: ConfigFile): FormatOptions {
  return {
    chat: file.chat,
    messages: messagesOptions(file.messages),
    responses: file.responses,
    tools: file.tools,
    reasoning: file.reasoning,
    clamp_max_tokens: file.clamp_max_tokens,
  }
}

/** Options of a level; undefined: those `above` apply. A profile overrides them, and named options override it. */
export function formatsOf(level: Level, above: FormatOptions, gateway: FormatOptions): FormatOptions | undefined {
  const { client_profile, chat, messages, responses, tools, reasoning } = level
  if ((client_profile ?? chat ?? messages ?? responses ?? tools ?? reasoning) === undefined) return undefined
  const base = withProfile(above, client_profile, gateway)
  return {
    chat: { ...base.chat, ...chat },
    messages: messages === undefined ? base.messages : messagesOptions({ ...base.messages, ...messages }),
    responses: { ...base.responses, ...responses },
    tools: { ...base.tools, ...tools },
    reasoning: { ...base.reasoning, ...reasoning },
    clamp_max_tokens: above.clamp_max_tokens,
  }
}

/** The options that a profile sets (docs/clients/README.md). */
function withProfile(above: Options, profile: Level['client_profile'], gateway: Options): Options {
  if (profile === undefined) return above
  const isAgents = profile === 'agents'
  return {
    chat: { ...above.chat, usage_chunks: isAgents ? 'last' : gateway.chat.usage_chunks },
    messages: { ...above.messages, input_tokens: isAgents ? 'uncached' : gateway.messages.input_tokens },
    responses: {
      ...above.responses,
      untyped_items: isAgents ? 'message' : gateway.responses.untyped_items,
      unknown_tools: isAgents ? 'drop' : gateway.responses.unknown_tools,
    },
    tools: { ...above.tools, empty_parameters: isAgents ? 'accept' : gateway.tools.empty_parameters },
    reasoning: { ...above.reasoning, other_efforts: isAgents ? 'nearest' : gateway.reasoning.other_efforts },
  }
}

function messagesOptions(file: ConfigFile['messages']): FormatOptions['messages'] {
  return { ...file, adaptive_thinking: file.adaptive_thinking === 'on' || file.adaptive_thinking === true }
}
