import type { Json, JsonObject } from '../base/json.ts'
import { isText, partsOf } from '../body/index.ts'
import type { CanonicalRequest, FunctionTool, Message, TextRequest } from '../canonical/request.ts'

/** A member that contains a text of a request: `holder[member]` reads the text, an assignment replaces it. */
interface TextMember {
  readonly holder: Record<string, string>
  readonly member: string
  /** Path for `error.param`, as fail() accepts it. */
  readonly param: string
}

/**
 * Every text of a request that the model reads, decoded when the caller reads it: contents, reasoning, arguments,
 * descriptions of tools and strings in their schemas, prompts and suffix; not names. `param`: the member of the
 * body, or the nearest common one if a format merges several into one text.
 */
export function* textParts(request: CanonicalRequest): Generator<TextMember> {
  if (request.kind === 'text') {
    yield* ofPrompts(request)
    return
  }
  for (let i = 0; i < request.messages.length; i++) yield* ofMessage(request.messages[i]!, i)
  for (let i = 0; i < request.tools.length; i++) yield* ofTool(request.tools[i]!, i)
}

function* ofTool(tool: FunctionTool, index: number): Generator<TextMember> {
  const path = `${tool.origin ?? `tools.${index}`}.function`
  if (isText(tool, 'description')) yield textMember(tool, 'description', `${path}.description`)
  // The path of the whole schema: inlined references have moved, so paths inside do not match the client's body.
  yield* ofSchema(tool.parameters, `${path}.parameters`)
}

/** All texts in an object or array, at any depth. */
function* ofSchema(value: Json | undefined, param: string): Generator<TextMember> {
  if (typeof value !== 'object' || value === null) return
  const members = value as JsonObject
  for (const name of Object.keys(members)) {
    if (isText(members, name)) yield textMember(members, name, param)
    else yield* ofSchema(members[name], param)
  }
}

function* ofPrompts(request: TextRequest): Generator<TextMember> {
  if (isText(request, 'prompt')) {
    yield textMember(request, 'prompt', 'prompt')
  } else {
    const { prompt } = request
    // An array contains texts or token ids.
    if (!isText(prompt as string[], 0)) return
    for (let i = 0; i < prompt.length; i++) yield textMember(prompt as string[], i, `prompt.${i}`)
  }
  if (isText(request, 'suffix')) yield textMember(request, 'suffix', 'suffix')
}

function* ofMessage(message: Message, index: number): Generator<TextMember> {
  const { origin } = message
  const path = origin ?? `messages.${index}`
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : []
  // A message with an origin is built from blocks or items of the body, in which its parts have other indices.
  const content = origin !== undefined && (message.role === 'tool' || calls.length > 0) ? path : `${path}.content`
  if (isText(message, 'content')) {
    yield textMember(message, 'content', content)
  } else {
    const parts = partsOf(message)
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i]!
      if (part.type === 'text') yield textMember(part, 'text', origin === undefined ? `${content}.${i}` : content)
    }
  }
  if (message.role !== 'assistant') return
  if (isText(message, 'reasoning')) {
    yield textMember(message, 'reasoning', origin ?? `${path}.reasoning_content`)
  }
  for (let i = 0; i < calls.length; i++) {
    yield textMember(calls[i]!, 'arguments', origin ?? `${path}.tool_calls.${i}.function.arguments`)
  }
}

/** The caller has checked isText(). */
function textMember<T extends object>(holder: T, member: keyof T, param: string): TextMember {
  return { holder: holder as unknown as Record<string, string>, member: String(member), param }
}

/** The number of choices that the client requested: `n` per prompt. */
export function choicesOf(request: CanonicalRequest): number {
  if (request.kind === 'chat' || isText(request, 'prompt')) return request.n
  return (
    request.n *
    (!isText(request.prompt as string[], 0) && typeof request.prompt[0] === 'number' ? 1 : request.prompt.length)
  )
}
