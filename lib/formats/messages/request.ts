import type { JsonObject } from '../../base/json.ts'
import type { FormatOptions } from '../../canonical/format.ts'
import {
  type ChatRequest,
  type Effort,
  type ReasoningOptions,
  type ResponseFormat,
  readSampling,
} from '../../canonical/request.ts'
import { fail } from '../../errors/errors.ts'
import { readConversation } from './conversation.ts'
import type { MessagesBody } from './generated/body.ts'
import { readToolChoice, readTools } from './tools.ts'

/** Values of `output_config.effort`; others are ignored (docs/api/messages.md#thinking). */
const EFFORTS: readonly Effort[] = ['low', 'medium', 'high', 'max']

const SAMPLING = ['temperature', 'top_p', 'top_k'] as const

/** Translates a body that schemas/bodies/messages.json or count-tokens.json accepted. */
export function toCanonical(json: JsonObject, options: FormatOptions): ChatRequest {
  const body: MessagesBody = json as JsonObject & MessagesBody
  refuseThread(body)
  const { stop_sequences, tool_choice } = body
  return {
    kind: 'chat',
    model: body.model,
    stream: body.stream === true,
    n: 1,
    maxTokens: body.max_tokens ?? undefined,
    clampMaxTokens: options.clamp_max_tokens.includes('messages'),
    stop: stop_sequences != null && stop_sequences.length > 0 ? [...stop_sequences] : undefined,
    sampling: readSampling(body, SAMPLING),
    regex: undefined,
    responseFormat: readFormat(body),
    messages: readConversation(body),
    tools: readTools(body),
    toolChoice: readToolChoice(body),
    parallelToolCalls: tool_choice?.disable_parallel_tool_use === true ? false : undefined,
    reasoning: readReasoning(body, options),
    preserveThinking: { asked: false, param: 'messages' },
  }
}

/** `output_config.format`, or `output_format` as older clients send it (docs/api/messages.md#structured-output). */
function readFormat({ output_config, output_format: older }: MessagesBody): ResponseFormat | undefined {
  const newer = output_config?.format
  if (newer != null && older != null) {
    const problem = "'output_format' is an older name of 'output_config.format': send one of them."
    fail('schema_validation_failed', { problem }, { param: 'output_format', ownParam: true })
  }
  const format = newer ?? older
  if (format == null) return undefined
  const { type } = format
  // Paths in refusals name the member that was sent.
  const at = (member: string) => (older == null ? undefined : { origin: `output_format.${member}` })
  if (type === 'text' || type === 'json_object') return { type, ...at('type') }
  if (type !== 'json_schema') return { type: 'other', name: type, ...at('type') }
  return {
    type,
    name: format.name ?? FORMAT_NAME,
    schema: format.schema ?? undefined,
    strict: format.strict ?? undefined,
    description: format.description ?? undefined,
    ...at('schema'),
  }
}

/** Engines require a name, and clients of this API send none. */
const FORMAT_NAME = 'response'

/** Refuses `thread`: the conversation would be lost. With these details the official client continues without it. */
function refuseThread({ thread }: MessagesBody): void {
  if (thread == null) return
  const details = { error_code: 'thread_unsupported_request', unsupported: ['thread'] }
  fail(
    'unsupported_parameter',
    { parameter: 'thread', where: ': nothing is stored, so send the whole conversation as messages' },
    { param: 'thread', ownParam: true, extra: { details } },
  )
}

/**
 * Reasoning is off unless `thinking` turns it on, whatever the model's default is (docs/api/messages.md#thinking).
 * Adaptive thinking, if enabled by the operator, is on for models that can reason, and ignored for others.
 */
function readReasoning({ thinking, output_config }: MessagesBody, { messages }: FormatOptions): ReasoningOptions {
  const effort = EFFORTS.find(known => known === output_config?.effort)
  if (thinking?.type === 'adaptive' && messages.adaptive_thinking) {
    return { enabled: undefined, effort, param: 'thinking', byDefault: 'able', hidden: false }
  }
  const enabled = thinking?.type === 'enabled'
  return { enabled, effort, param: 'thinking', byDefault: 'off', hidden: !enabled }
}
