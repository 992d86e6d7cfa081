/**
 * How an engine differs from OpenAI's API, as data: no code asks for an engine's name
 * (docs/DESIGN.md#engine-differences).
 */

export const ENGINES = ['vllm', 'sglang', 'llama.cpp', 'openai'] as const
export type Engine = (typeof ENGINES)[number]

export interface BackendProfile {
  /** Member of chat_template_kwargs that switches reasoning; null: there is none. */
  readonly thinking_kwarg: 'enable_thinking' | 'thinking' | null
  /** The engine takes `reasoning_effort`, with exactly these values. */
  readonly efforts: readonly string[]
  /** Where a JSON Schema, regular expression or grammar goes. */
  readonly structured: 'structured_outputs' | 'sglang' | 'llama.cpp' | 'response_format_only'
  /** What POST /tokenize takes; none: token counts are estimates. */
  readonly tokenize: 'messages' | 'prompt' | 'content' | 'none'
  /** The engine reports no cached tokens where there were none: null means 0. */
  readonly cached_null_means_zero: boolean
  /** System messages may stand anywhere in the conversation. */
  readonly system_inline: boolean
  /** The role `developer` is understood; else it becomes `system`. */
  readonly developer_role: boolean
  /** tool_choice takes a named function; else a single-tool list with `required` stands in for it. */
  readonly named_tool_choice: boolean
  /** Name of the sampling control that divides the scores of tokens that were said before. */
  readonly repetition_penalty: 'repetition_penalty' | 'repeat_penalty'
  /** Log probabilities are given only where at least one alternative is asked for. */
  readonly logprobs_need_top: boolean
  /** The engine notices only in a stream that nobody waits any more: whole replies are asked for as streams, too. */
  readonly always_stream: boolean
  /** Several choices: each one's end has a usage that counts this choice alone. */
  readonly usage_per_choice: boolean
  /** Path of the health check below the server's root; null: none. */
  readonly health_path: string | null
  /** Texts that mark a 503 or an in-band error as a full queue. Compared without case. */
  readonly queue_full_patterns: readonly string[]
  /** Texts of a 400 that mark a prompt as longer than the context window. Compared without case. */
  readonly context_patterns: readonly string[]
  /** Texts of a 500 that is no fault of the server, but of the request. Compared without case. */
  readonly refusal_patterns: readonly string[]
}

const QUEUE_FULL = [
  'queue is full',
  'queue full',
  'queue_full',
  'queueoverflow',
  'queued requests',
  'higher priority request',
  'at capacity',
  'too many requests',
]
const CONTEXT = [
  'maximum context length',
  "model's context length",
  'exceed_context_size',
  'exceeds the available context size',
  'context_length_exceeded',
  'longer than the model',
  'cannot be greater than max_model_len',
  'cannot be greater than max_total_tokens',
]

/** llama-server answers so to an image that it cannot decode, or that its model cannot see. */
const REFUSAL = ['image input is not supported', 'failed to load image']

const vllm: BackendProfile = {
  thinking_kwarg: 'enable_thinking',
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  structured: 'structured_outputs',
  tokenize: 'messages',
  cached_null_means_zero: false,
  system_inline: false,
  developer_role: false,
  named_tool_choice: true,
  repetition_penalty: 'repetition_penalty',
  logprobs_need_top: false,
  always_stream: false,
  usage_per_choice: false,
  health_path: '/health',
  queue_full_patterns: QUEUE_FULL,
  context_patterns: CONTEXT,
  refusal_patterns: REFUSAL,
}

export const PROFILES: Readonly<Record<Engine, BackendProfile>> = {
  vllm,
  sglang: { ...vllm, structured: 'sglang', tokenize: 'prompt' },
  'llama.cpp': {
    ...vllm,
    efforts: [],
    structured: 'llama.cpp',
    tokenize: 'content',
    named_tool_choice: false,
    repetition_penalty: 'repeat_penalty',
    logprobs_need_top: true,
    always_stream: true,
    usage_per_choice: true,
  },
  openai: {
    ...vllm,
    thinking_kwarg: null,
    efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
    structured: 'response_format_only',
    tokenize: 'none',
    developer_role: true,
    health_path: null,
  },
}
