import type { RequestRecord } from '../../../lib/plugin.ts'

type Client = NonNullable<RequestRecord['client']>

/** How each family names itself. An agent is before the SDK that it is built on, whose name it may send too. */
const FAMILIES: readonly (readonly [Client, RegExp])[] = [
  ['claude-code', /^claude-(?:cli|code)\b/i],
  ['codex', /^codex/i],
  ['cline', /^cline\//i],
  ['continue', /^continue/i],
  ['qwen-code', /^qwen-?code/i],
  ['opencode', /^opencode/i],
  ['langchain', /langchain/i],
  ['vercel-ai', /(?:^|[\s,])ai(?:-sdk)?\//i],
  ['openai-sdk', /^(?:async)?(?:azure)?openai[/-]/i],
  ['anthropic-sdk', /^(?:async)?anthropic[/-]/i],
  ['curl', /^curl\//i],
]

/** The family of a client by its header `User-Agent`. The set is closed, so a client cannot store a text of its own. */
export function clientOf(userAgent: string | undefined): Client {
  if (userAgent === undefined) return 'other'
  return FAMILIES.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? 'other'
}
