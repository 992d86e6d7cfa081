import type { JsonObject } from '../../base/json.ts'
import type { FormatOptions } from '../../canonical/format.ts'
import {
  type ChatMessage,
  type ChatRequest,
  EFFORTS,
  type ReasoningOptions,
  type ResponseFormat,
  type Sampling,
  type ToolChoice,
} from '../../canonical/request.ts'
import { fail } from '../../errors/errors.ts'
import type { Maybe, ResponsesBody, TextFormat } from './body.ts'
import { readItems } from './items.ts'
import { readTools, ToolNames } from './tools.ts'

/** A body that schemas/bodies/responses.json accepted, as a canonical request (docs/api/responses.md#request). */
export function readRequest(json: JsonObject, options: FormatOptions): ChatRequest {
  const body = json as unknown as ResponsesBody
  if (body.previous_response_id != null) {
    fail(
      'unsupported_parameter',
      { parameter: 'previous_response_id', where: ': nothing is stored, so send the whole conversation as input' },
      { param: 'previous_response_id', ownParam: true },
    )
  }
  const tools = readTools(body.tools ?? [], options.responses.unknown_tools)
  return {
    kind: 'chat',
    model: body.model,
    stream: body.stream === true,
    n: 1,
    maxTokens: body.max_output_tokens ?? undefined,
    clampMaxTokens: options.clamp_max_tokens.includes('responses'),
    stop: undefined,
    sampling: readSampling(body),
    regex: undefined,
    responseFormat: readTextFormat(body.text?.format),
    messages: readMessages(body, new ToolNames(tools)),
    tools,
    toolChoice: readToolChoice(body.tool_choice),
    parallelToolCalls: body.parallel_tool_calls ?? undefined,
    reasoning: readReasoning(body.reasoning),
    preserveThinking: { asked: false, param: '' },
  }
}

function readMessages({ model, input, instructions }: ResponsesBody, names: ToolNames): ChatMessage[] {
  const messages: ChatMessage[] =
    typeof input === 'string' ? [{ role: 'user', content: input, origin: 'input' }] : readItems(input, model, names)
  if (messages.length === 0) {
    fail('schema_validation_failed', { problem: 'input holds no message.' }, { param: 'input', ownParam: true })
  }
  if (instructions) messages.unshift({ role: 'system', content: instructions, origin: 'instructions' })
  return messages
}

function readSampling({ temperature, top_p, seed }: ResponsesBody): Sampling {
  const sampling: Sampling = {}
  if (temperature != null) sampling.temperature = temperature
  if (top_p != null) sampling.top_p = top_p
  if (seed != null) sampling.seed = seed
  return sampling
}

/** Any effort that is no effort, and an object without one, switch reasoning off; no object leaves it to the model card. */
function readReasoning(reasoning: ResponsesBody['reasoning']): ReasoningOptions {
  const param = 'reasoning.effort'
  if (reasoning == null) {
    return { enabled: undefined, effort: undefined, param, whenUnsaid: 'card' }
  }
  const effort = EFFORTS.find(known => known === reasoning.effort) ?? 'none'
  return { enabled: effort !== 'none', effort, param, whenUnsaid: 'card' }
}

function readToolChoice(choice: ResponsesBody['tool_choice']): ToolChoice | undefined {
  if (choice == null) return undefined
  return typeof choice === 'string' ? choice : { name: choice.name }
}

function readTextFormat(format: Maybe<TextFormat>): ResponseFormat | undefined {
  if (format == null) return undefined
  switch (format.type) {
    case 'text':
    case 'json_object':
      return { type: format.type }
    case 'json_schema':
      return {
        type: 'json_schema',
        name: format.name ?? '',
        schema: format.schema ?? undefined,
        strict: format.strict ?? undefined,
        description: format.description ?? undefined,
      }
    default:
      return { type: 'other', name: format.type }
  }
}
