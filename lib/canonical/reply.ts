/** The canonical reply: the steps that every backend's answer becomes, and where they go. */
import type { Json } from '../base/json.ts'
import type { GatewayError } from '../errors/errors.ts'

export const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter'] as const
export type FinishReason = (typeof FINISH_REASONS)[number]

/**
 * One step of a reply. A stream is many of them; a whole JSON reply is one for each choice, so that stages and
 * encoders are written once. Every member is always present, so that all chunks share one hidden class.
 */
export interface ChatChunk {
  /** Index of the choice; -1 on a chunk that carries only usage. */
  choice: number
  /** The first chunk of a choice: the assistant's turn starts. */
  start: boolean
  text: string | undefined
  reasoning: string | undefined
  refusal: string | undefined
  toolCalls: ToolCallDelta[] | undefined
  /** Passed through in OpenAI's shape. */
  logprobs: Json | undefined
  finish: FinishReason | undefined
  /** The stop string or stop token id that matched, where the engine says so. */
  matchedStop: string | number | undefined
  /** Running totals of the whole reply: the last value counts, values are never added. */
  usage: Usage | undefined
  /**
   * What is wrong with the backend's usage where it could not be read (`usage_parse_error` of
   * docs/api/endpoint-request.md#record).
   */
  usageError?: string | undefined
}

/** A piece of a tool call. The first one of a call has its id and name. */
export interface ToolCallDelta {
  index: number
  /** On the first fragment of a call. */
  id: string | undefined
  name: string | undefined
  /** A piece of the arguments' JSON text. */
  arguments: string
}

/** Token counts of a reply, as the backend reported them. */
export interface Usage {
  readonly promptTokens: number
  readonly completionTokens: number
  /** null: the engine did not say. */
  readonly cachedTokens: number | null
  readonly reasoningTokens: number | null
}

/** An empty chunk for this choice, all members present. */
export function newChunk(choice: number): ChatChunk {
  return {
    choice,
    start: false,
    text: undefined,
    reasoning: undefined,
    refusal: undefined,
    toolCalls: undefined,
    logprobs: undefined,
    finish: undefined,
    matchedStop: undefined,
    usage: undefined,
    usageError: undefined,
  }
}

/** Where chunks go: `chunk` any number of times, then `end` or `fail` exactly once. */
export interface Sink {
  chunk(chunk: ChatChunk): void
  end(): void
  fail(error: GatewayError): void
}
