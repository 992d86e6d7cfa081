/** Switches of the APIs: those of the gateway, under those of an account, under those of a key (docs/CONFIG.md). */
import type { FormatOptions } from '../canonical/format.ts'
import type { Account, ConfigFile, Key } from './generated/file.ts'

/** Switches of one level of the file. */
type Level = Pick<Account & Key, 'messages' | 'responses' | 'tools'>

export function gatewayFormats(file: ConfigFile): FormatOptions {
  return {
    messages: messagesOptions(file.messages),
    responses: file.responses,
    tools: file.tools,
    clamp_max_tokens: file.clamp_max_tokens,
  }
}

/** The options of a level; undefined where it sets none, and those `above` it apply. */
export function formatsOf({ messages, responses, tools }: Level, above: FormatOptions): FormatOptions | undefined {
  if (messages === undefined && responses === undefined && tools === undefined) return undefined
  return {
    messages: messages === undefined ? above.messages : messagesOptions({ ...above.messages, ...messages }),
    responses: { ...above.responses, ...responses },
    tools: { ...above.tools, ...tools },
    clamp_max_tokens: above.clamp_max_tokens,
  }
}

function messagesOptions(file: ConfigFile['messages']): FormatOptions['messages'] {
  return { ...file, adaptive_thinking: file.adaptive_thinking === 'on' || file.adaptive_thinking === true }
}
