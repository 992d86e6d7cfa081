/** Reads a choice: its answer, also in another member than OpenAI's API has, and why it ended. */
import { isObject, type Json } from '../../base/json.ts'
import type { FinishReason } from '../../canonical/reply.ts'
import type { BackendProfile } from '../../config/profile.ts'

type Members = { readonly [name: string]: Json | undefined }

/** The member of a choice that has the answer; `choice`: the choice itself. */
export type AnswerMember = 'delta' | 'message' | 'choice'

const MEMBERS: Readonly<Record<'stream' | 'whole', readonly AnswerMember[]>> = {
  stream: ['delta', 'message', 'choice'],
  whole: ['message', 'delta', 'choice'],
}

/** The first member with a part of the answer; undefined: none. */
export function answerMember(choice: Members, isWhole: boolean): AnswerMember | undefined {
  return MEMBERS[isWhole ? 'whole' : 'stream'].find(member => {
    const answer = answerIn(choice, member)
    const { content, reasoning_content, reasoning, refusal } = answer
    const parts = [text(content), textOfParts(content), text(reasoning_content), text(reasoning), text(refusal)]
    return parts.some(part => part !== undefined) || callsIn(answer).length > 0
  })
}

/** The value of this member. A value that is no object becomes `content`. */
export function answerIn(choice: Members, member: AnswerMember): Members {
  const value = member === 'choice' ? choice : choice[member]
  return isObject(value) ? value : value == null ? NOTHING : { content: value }
}

/** The tool calls of an answer, also the one call of OpenAI's older API. */
export function callsIn({ tool_calls: calls, function_call: call }: Members): readonly Json[] {
  if (Array.isArray(calls) && calls.length > 0) return calls
  return isObject(call) && Object.keys(call).length > 0 ? [{ index: 0, function: call }] : []
}

/** Whether an answer without any known part has a text, list or object under another name or in another form. */
export function hasUnknownPart(answer: Members): boolean {
  return Object.entries(answer).some(([name, value]) => {
    if (NO_PARTS.has(name) || value == null) return false
    if (typeof value === 'string') return value !== ''
    if (Array.isArray(value)) return !value.every(isEmptyText)
    return typeof value === 'object' ? Object.keys(value).length > 0 : name === 'content'
  })
}

function isEmptyText(part: Json): boolean {
  return isObject(part) && part.text === ''
}

/** Members of servers that are no part of an answer. */
const NO_PARTS: ReadonlySet<string> = new Set([
  'role',
  'reasoning_details',
  'annotations',
  'audio',
  'citations',
  'sources',
  'search_results',
  'metadata',
  'provider_specific_fields',
  'token_ids',
  'id',
  'index',
  'model',
  'name',
  'object',
  'type',
])

const NOTHING: Members = Object.freeze({})

/** The value if it is a non-empty string: the role chunk of vLLM has `content: ""`. */
export function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The text of content that is an array of parts, as some servers send it. */
export function textOfParts(content: Json | undefined): string | undefined {
  if (!Array.isArray(content)) return undefined
  return content.map(part => text(isObject(part) ? part.text : part) ?? '').join('') || undefined
}

// ------------------------------------------------------------ finish reasons (docs/ENGINES.md#finish-reasons)

/** A mapped reason. `error`: the server gave the answer up. */
type Meaning = BackendProfile['finish_reasons'][string]

/** Names in lower case. The answer is complete under any other name, and ends with `stop`. */
const NAMES: Readonly<Record<Exclude<Meaning, 'stop'>, readonly string[]>> = {
  length: [
    'length',
    'max_tokens',
    'max_length',
    'max_new_tokens',
    'max_output_tokens',
    'max_completion_tokens',
    'model_length',
    'model_context_window_exceeded',
  ],
  tool_calls: ['tool_calls', 'tool_call', 'tool_use', 'function_call'],
  content_filter: ['content_filter', 'safety', 'refusal', 'recitation', 'blocklist', 'prohibited_content', 'spii'],
  error: ['error', 'abort'],
}

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  Object.entries(NAMES).flatMap(([meaning, names]) => names.map(name => [name, meaning as Meaning])),
)

/** Texts that servers write in chunks before the last one, in place of null. */
const NONE: readonly unknown[] = ['', 'null', 'none']

/** The reason of a choice; undefined: the choice goes on; `error`: the reply is not complete. */
export function readFinishReason(
  reason: Json | undefined,
  isWhole: boolean,
  profile: BackendProfile,
): FinishReason | 'error' | undefined {
  if (reason == null || (!isWhole && NONE.includes(reason))) return undefined
  if (typeof reason !== 'string') return 'error'
  const { finish_reasons: own } = profile
  return (Object.hasOwn(own, reason) ? own[reason] : MEANINGS.get(reason.toLowerCase())) ?? 'stop'
}
