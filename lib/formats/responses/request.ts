import type { JsonObject } from '../../base/json.ts'
import type { FormatOptions } from '../../canonical/format.ts'
import {
  type ChatRequest,
  EFFORTS,
  type ReasoningOptions,
  type ResponseFormat,
  readSampling,
} from '../../canonical/request.ts'
import { fail } from '../../errors/errors.ts'
import { readConversation } from './conversation.ts'
import { readEcho } from './echo.ts'
import type { ResponsesBody, TextFormat } from './generated/body.ts'
import { readToolChoice, readTools, ToolNames } from './tools.ts'

const SAMPLING = ['temperature', 'top_p', 'seed'] as const

/** Translates a body that schemas/bodies/responses.json accepted (docs/api/responses.md#request). */
export function toCanonical(json: JsonObject, options: FormatOptions): ChatRequest {
  const body: ResponsesBody = json as JsonObject & ResponsesBody
  if (body.previous_response_id != null) {
    fail(
      'unsupported_parameter',
      { parameter: 'previous_response_id', where: ': nothing is stored, so send the whole conversation as input' },
      { param: 'previous_response_id', ownParam: true },
    )
  }
  const tools = readTools(body, options.responses.unknown_tools)
  return {
    kind: 'chat',
    model: body.model,
    stream: body.stream === true,
    n: 1,
    maxTokens: body.max_output_tokens ?? undefined,
    clampMaxTokens: options.clamp_max_tokens.includes('responses'),
    stop: undefined,
    sampling: readSampling(body, SAMPLING),
    regex: undefined,
    responseFormat: readTextFormat(body.text?.format),
    messages: readConversation(body, new ToolNames(tools), options.responses.untyped_items),
    tools,
    toolChoice: readToolChoice(body),
    parallelToolCalls: body.parallel_tool_calls ?? undefined,
    reasoning: readReasoning(body.reasoning),
    preserveThinking: { asked: false, param: '' },
    echo: readEcho(body),
  }
}

/** An unknown effort and an object without one switch reasoning off. Without an object the model card decides. */
function readReasoning(reasoning: ResponsesBody['reasoning']): ReasoningOptions {
  const param = 'reasoning.effort'
  if (reasoning == null) {
    return { enabled: undefined, effort: undefined, param, byDefault: 'card' }
  }
  const effort = EFFORTS.find(known => known === reasoning.effort) ?? 'none'
  return { enabled: effort !== 'none', effort, param, byDefault: 'card' }
}

function readTextFormat(format: TextFormat | null | undefined): ResponseFormat | undefined {
  if (format == null) return undefined
  switch (format.type) {
    case 'text':
    case 'json_object':
      return { type: format.type }
    case 'json_schema':
      return {
        type: 'json_schema',
        name: format.name,
        schema: format.schema ?? undefined,
        strict: format.strict ?? undefined,
        description: format.description ?? undefined,
      }
    default:
      return { type: 'other', name: format.type }
  }
}
