import type { JsonObject } from '../../base/json.ts'
import type { FormatOptions } from '../../canonical/format.ts'
import type { ChatRequest } from '../../canonical/request.ts'
import { readSampling, type Sampling } from '../../canonical/sampling.ts'
import { fail } from '../../errors/errors.ts'
import { readResponseFormat, readStop } from '../openai/request.ts'
import { readConversation } from './conversation.ts'
import type { ChatBody } from './generated/body.ts'
import { readPreserveThinking, readReasoning } from './reasoning.ts'
import { readToolChoice, readTools } from './tools.ts'

/**
 * A body that schemas/bodies/chat-completions.json accepted, as a canonical request
 * (docs/api/chat-completions.md#request). Refuses contradictions, and what has a more specific code than the schema's.
 */
export function toCanonical(json: JsonObject, options: FormatOptions): ChatRequest {
  const body = json as unknown as ChatBody
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
    reasoning: readReasoning(body),
    preserveThinking: readPreserveThinking(body),
  }
}

/** Two names of one limit: two values are a contradiction. */
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
