import type { JsonObject } from '../../base/json.ts'
import type { FormatOptions } from '../../canonical/format.ts'
import {
  type ChatRequest,
  type Effort,
  type FunctionTool,
  type ReasoningOptions,
  readSampling,
  type Sampling,
  type ToolChoice,
} from '../../canonical/request.ts'
import { fail } from '../../errors/errors.ts'
import { quoted } from '../../text/quoted.ts'
import { readResponseFormat, readStop } from '../openai/request.ts'
import { readConversation } from './conversation.ts'
import type { BodyTool, ChatBody } from './generated/body.ts'

/**
 * Translates a body that schemas/bodies/chat-completions.json accepted. Refuses contradictions, and members whose error
 * has a more specific code than the schema's.
 */
export function toCanonical(json: JsonObject, options: FormatOptions): ChatRequest {
  const body: ChatBody = json as JsonObject & ChatBody
  return {
    kind: 'chat',
    model: body.model,
    stream: body.stream === true,
    n: body.n ?? 1,
    maxTokens: readMaxTokens(body),
    clampMaxTokens: options.clamp_max_tokens.includes('chat'),
    stop: readStop(body.stop),
    sampling: readCheckedSampling(body),
    regex: body.regex ?? undefined,
    responseFormat: body.response_format == null ? undefined : readResponseFormat(body.response_format),
    messages: readConversation(body),
    tools: readTools(body),
    toolChoice: readToolChoice(body),
    parallelToolCalls: body.parallel_tool_calls ?? undefined,
    reasoning: readReasoning(body, options.reasoning),
    preserveThinking: readPreserveThinking(body),
  }
}

/** Reads one limit with two names. Refuses two different values. */
function readMaxTokens({ max_tokens, max_completion_tokens }: ChatBody): number | undefined {
  if (max_tokens != null && max_completion_tokens != null && max_tokens !== max_completion_tokens) {
    const problem = "'max_tokens' and 'max_completion_tokens' are two names of one limit: send one of them."
    fail('schema_validation_failed', { problem }, { param: 'max_tokens' })
  }
  return max_completion_tokens ?? max_tokens ?? undefined
}

function readCheckedSampling(body: ChatBody): Sampling {
  if (body.top_logprobs && body.logprobs !== true) {
    const problem = "'top_logprobs' needs 'logprobs' to be true."
    fail('schema_validation_failed', { problem }, { param: 'top_logprobs' })
  }
  return readSampling(body)
}

/** The reasoning that one member of the body asks for. */
interface Claim {
  readonly param: string
  readonly enabled: boolean
  readonly effort: Effort | undefined
}

/** Combines the equivalent members for reasoning (docs/api/chat-completions.md#reasoning). Refuses contradictions. */
function readReasoning(body: ChatBody, options: FormatOptions['reasoning']): ReasoningOptions {
  const claims = [...claimsOf(body, options)]
  const [first] = claims
  if (first === undefined) {
    return { enabled: undefined, effort: undefined, param: 'reasoning_effort', byDefault: 'off' }
  }
  let effort = first.effort
  for (const claim of claims) {
    if (
      claim.enabled !== first.enabled ||
      (claim.effort !== undefined && effort !== undefined && claim.effort !== effort)
    ) {
      fail(
        'schema_validation_failed',
        { problem: `'${claim.param}' contradicts '${first.param}'.` },
        { param: claim.param },
      )
    }
    effort ??= claim.effort
  }
  return { enabled: first.enabled, effort, param: first.param, byDefault: 'off' }
}

function* claimsOf(
  { reasoning_effort, reasoning, thinking, chat_template_kwargs }: ChatBody,
  { other_efforts: others }: FormatOptions['reasoning'],
): Generator<Claim> {
  if (reasoning_effort != null) yield effortClaim('reasoning_effort', reasoning_effort, others)
  if (reasoning?.effort != null) yield effortClaim('reasoning.effort', reasoning.effort, others)
  if (reasoning?.enabled != null) yield switchClaim('reasoning.enabled', reasoning.enabled)
  if (thinking != null) yield switchClaim('thinking.type', thinking.type === 'enabled')
  if (chat_template_kwargs?.enable_thinking != null) {
    yield switchClaim('chat_template_kwargs.enable_thinking', chat_template_kwargs.enable_thinking)
  }
}

const OTHER_EFFORTS = "The operator can have 'minimal' and 'xhigh' accepted: 'reasoning.other_efforts'."

function effortClaim(param: string, given: Effort | 'minimal', others: 'refuse' | 'nearest'): Claim {
  if (others === 'refuse' && (given === 'minimal' || given === 'xhigh')) {
    const problem = `'${param}' must be 'none', 'low', 'medium', 'high' or 'max'.`
    fail('schema_validation_failed', { problem: `${problem} ${OTHER_EFFORTS}` }, { param })
  }
  const effort = given === 'minimal' ? 'low' : given
  return { param, enabled: effort !== 'none', effort }
}

/** The claim of a boolean member: off is the effort `none`, on does not set the effort. */
function switchClaim(param: string, enabled: boolean): Claim {
  return { param, enabled, effort: enabled ? undefined : 'none' }
}

/** `preserve_thinking: true`, or `thinking: {type: enabled, keep: all}` (docs/api/chat-completions.md#reasoning). */
function readPreserveThinking({ preserve_thinking, thinking }: ChatBody): { asked: boolean; param: string } {
  if (thinking?.keep == null) return { asked: preserve_thinking === true, param: 'preserve_thinking' }
  const param = 'thinking.keep'
  if (thinking.type === 'disabled') {
    fail('schema_validation_failed', { problem: "'thinking.keep' needs 'thinking.type' to be 'enabled'." }, { param })
  }
  if (preserve_thinking === false) {
    fail('schema_validation_failed', { problem: "'thinking.keep' contradicts 'preserve_thinking'." }, { param })
  }
  return { asked: true, param }
}

/** Refuses tools that are no functions with `unsupported_tool_type`. */
function readTools({ tools }: ChatBody): FunctionTool[] {
  return tools == null ? [] : tools.map(readTool)
}

function readTool(tool: BodyTool, index: number): FunctionTool {
  if (tool.type !== 'function' || tool.function === undefined) {
    return fail('unsupported_tool_type', { type: quoted(tool.type) }, { param: `tools.${index}.type` })
  }
  const { name, description, parameters, strict } = tool.function
  return {
    name,
    description: description ?? undefined,
    parameters: parameters ?? undefined,
    strict: strict ?? undefined,
  }
}

function readToolChoice({ tool_choice }: ChatBody): ToolChoice | undefined {
  if (tool_choice == null) return undefined
  return typeof tool_choice === 'string' ? tool_choice : { name: tool_choice.function.name }
}
