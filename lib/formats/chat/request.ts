import type { JsonObject } from '../../base/json.ts'
import type { FormatOptions } from '../../canonical/format.ts'
import type { CanonicalRequest, FunctionTool, ResponseFormat, Sampling, ToolChoice } from '../../canonical/request.ts'
import { fail } from '../../errors/errors.ts'
import type { BodyResponseFormat, BodyTool, ChatBody } from './body.ts'
import { canonicalMessages } from './messages.ts'
import { preserveThinking, reasoningWish } from './reasoning.ts'

/** A body that its schema accepted. Refuses what the schema leaves to a more specific code, and contradictions. */
export function chatRequest(json: JsonObject, options: FormatOptions): CanonicalRequest {
  const body = json as unknown as ChatBody
  return {
    kind: 'chat',
    model: body.model,
    stream: body.stream === true,
    n: body.n ?? 1,
    maxTokens: maxTokens(body),
    clampMaxTokens: options.clamp_max_tokens.includes('chat'),
    stop: stopList(body),
    sampling: sampling(body),
    regex: body.regex ?? undefined,
    responseFormat: body.response_format == null ? undefined : responseFormat(body.response_format),
    messages: canonicalMessages(body),
    tools: (body.tools ?? []).map(functionTool),
    toolChoice: toolChoice(body),
    parallelToolCalls: body.parallel_tool_calls ?? undefined,
    reasoning: reasoningWish(body),
    preserveThinking: preserveThinking(body),
  }
}

/** The two names mean the same. */
function maxTokens({ max_tokens, max_completion_tokens }: ChatBody): number | undefined {
  if (max_tokens != null && max_completion_tokens != null && max_tokens !== max_completion_tokens) {
    const problem = "'max_tokens' and 'max_completion_tokens' are two names of one limit: send one of them."
    fail('schema_validation_failed', { problem }, { param: 'max_tokens' })
  }
  return max_completion_tokens ?? max_tokens ?? undefined
}

function stopList({ stop }: ChatBody): string[] | undefined {
  if (stop == null || stop.length === 0) return undefined
  return typeof stop === 'string' ? [stop] : stop
}

const SAMPLING = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'presence_penalty',
  'frequency_penalty',
  'repetition_penalty',
  'seed',
  'logit_bias',
  'logprobs',
  'top_logprobs',
] as const satisfies readonly (keyof Sampling & keyof ChatBody)[]

function sampling(body: ChatBody): Sampling {
  if (body.top_logprobs && body.logprobs !== true) {
    const problem = "'top_logprobs' needs 'logprobs' to be true."
    fail('schema_validation_failed', { problem }, { param: 'top_logprobs' })
  }
  const given = SAMPLING.filter(name => body[name] != null).map(name => [name, body[name]])
  return Object.fromEntries(given) as Sampling
}

function responseFormat(format: BodyResponseFormat): ResponseFormat {
  const { type, json_schema } = format
  if (type === 'text' || type === 'json_object') return { type }
  if (type === 'json_schema' && json_schema !== undefined) {
    const { name, schema, strict, description } = json_schema
    return {
      type,
      name,
      schema: schema ?? undefined,
      strict: strict ?? undefined,
      description: description ?? undefined,
    }
  }
  return type === 'grammar' ? grammarFormat(format) : { type: 'other', name: type }
}

/** Without a text, or with more than that, it is refused after the question whether the model takes grammars at all. */
function grammarFormat(format: BodyResponseFormat): ResponseFormat {
  const { grammar } = format
  const unknown = Object.keys(format).find(name => name !== 'type' && name !== 'grammar' && name !== 'json_schema')
  return {
    type: 'grammar',
    grammar: typeof grammar === 'string' ? grammar : '',
    ...(unknown !== undefined && { unknown }),
  }
}

function functionTool(tool: BodyTool, index: number): FunctionTool {
  if (tool.type !== 'function' || tool.function === undefined) {
    return fail('unsupported_tool_type', { type: tool.type.slice(0, 64) }, { param: `tools.${index}.type` })
  }
  const { name, description, parameters, strict } = tool.function
  return {
    name,
    description: description ?? undefined,
    parameters: parameters ?? undefined,
    strict: strict ?? undefined,
  }
}

function toolChoice({ tool_choice }: ChatBody): ToolChoice | undefined {
  if (tool_choice == null) return undefined
  return typeof tool_choice === 'string' ? tool_choice : { name: tool_choice.function.name }
}
