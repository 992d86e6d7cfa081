/** Options of the API formats. Those of a key override those of its account, which override those of the gateway. */
import type { FormatOptions } from '../canonical/format.ts'
import type { Account, ConfigFile, Key } from './generated/file.ts'

type Level = Pick<
  Account & Key,
  'client_profile' | 'chat' | 'messages' | 'responses' | 'tools' | 'reasoning' | 'errors'
>

interface Owned {
  readonly formats?: FormatOptions | undefined
  readonly account: { readonly id: string }
}

interface Configured {
  readonly formats: FormatOptions
  readonly accounts: readonly { readonly id: string; readonly formats: FormatOptions | undefined }[]
}

type Options = Omit<FormatOptions, 'clamp_max_tokens'>

export function gatewayFormats(file: ConfigFile): FormatOptions {
  return {
    chat: file.chat,
    messages: messagesOptions(file.messages),
    responses: file.responses,
    tools: file.tools,
    reasoning: file.reasoning,
    errors: file.errors,
    clamp_max_tokens: file.clamp_max_tokens,
  }
}

/** Options of a level; undefined: those `above` apply. A profile overrides them, and named options override it. */
export function formatsOf(level: Level, above: FormatOptions, gateway: FormatOptions): FormatOptions | undefined {
  const { client_profile, chat, messages, responses, tools, reasoning, errors } = level
  if ((client_profile ?? chat ?? messages ?? responses ?? tools ?? reasoning ?? errors) === undefined) return undefined
  const base = withProfile(above, client_profile, gateway)
  return {
    chat: { ...base.chat, ...chat },
    messages: messages === undefined ? base.messages : messagesOptions({ ...base.messages, ...messages }),
    responses: { ...base.responses, ...responses },
    tools: { ...base.tools, ...tools },
    reasoning: { ...base.reasoning, ...reasoning },
    errors: { ...base.errors, ...errors },
    clamp_max_tokens: above.clamp_max_tokens,
  }
}

/** Looks up the options of a key: its own, else those of its account, else those of the gateway. */
export function formatOptionsByKey({ formats, accounts }: Configured): (key: Owned | undefined) => FormatOptions {
  // By id, because keys in the store refer to accounts of the configuration, too.
  const byAccount = new Map<string, FormatOptions>()
  for (const account of accounts) {
    if (account.formats !== undefined) byAccount.set(account.id, account.formats)
  }
  return key => (key === undefined ? formats : (key.formats ?? byAccount.get(key.account.id) ?? formats))
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
    errors: { ...above.errors, used_up: isAgents ? 402 : gateway.errors.used_up },
  }
}

function messagesOptions(file: ConfigFile['messages']): FormatOptions['messages'] {
  return { ...file, adaptive_thinking: file.adaptive_thinking === 'on' || file.adaptive_thinking === true }
}
