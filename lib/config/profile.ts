/** How engines differ from OpenAI's API, as data: no code compares their names (docs/DESIGN.md#engine-differences). */
import type { Backend, Profile } from './generated/file.ts'

export type Engine = Backend['engine']

/** The differences of an engine. schemas/config/profile.json describes each member. */
export type BackendProfile = Required<Profile>

const QUEUE_FULL = [
  'queue is full',
  'queue full',
  'queue_full',
  'queueoverflow',
  'queued requests',
  'higher priority request',
  'at capacity',
  'too many requests',
  'request waiting timeout reached',
]
const CONTEXT = [
  'maximum context length',
  "model's context length",
  'exceed_context_size',
  'exceeds the available context size',
  'context_length_exceeded',
  'longer than the model',
  'longer than the maximum model length',
  'exceeds the maximum allowed length',
  'prompt is too long',
  'max_completion_tokens is too large',
  'cannot be greater than max_model_len',
  'cannot be greater than max_total_tokens',
  'context size has been exceeded',
]

/** Messages of llama-server: no image decoder, no vision, a failing chat template, a reply beyond the window. */
const REFUSAL = [
  'image input is not supported',
  'failed to load image',
  'failed to process image',
  'jinja exception',
  'context size has been exceeded',
]

/** The message of SGLang with SGLANG_REQ_RUNNING_TIMEOUT. */
const TIMEOUT = ['request running timeout reached']

/** Messages of a llama-server that routes to several models. */
const MISSING_MODEL = ["model '*' not found", 'model is not loaded', 'model name=* is not found']

const vllm: BackendProfile = {
  engine_version: '0.12',
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
  stream_tools_logprobs: true,
  usage_per_choice: false,
  running_usage: 'continuous_usage_stats',
  text_members: ['echo'],
  max_stop_strings: 4,
  top_k_all: 0,
  image_detail_original: true,
  cache_salt: true,
  priority: null,
  health_path: '/health',
  cache_path: '/metrics',
  root_paths: ['/classify'],
  queue_full_patterns: QUEUE_FULL,
  context_patterns: CONTEXT,
  refusal_patterns: REFUSAL,
  timeout_patterns: TIMEOUT,
  missing_model_patterns: MISSING_MODEL,
}

export const PROFILES: Readonly<Record<Engine, BackendProfile>> = {
  vllm,
  sglang: {
    ...vllm,
    engine_version: '0.5.6',
    structured: 'sglang',
    root_paths: [],
    max_stop_strings: null,
    top_k_all: -1,
    image_detail_original: false,
  },
  'llama.cpp': {
    ...vllm,
    efforts: [],
    structured: 'llama.cpp',
    tokenize: 'content',
    named_tool_choice: false,
    repetition_penalty: 'repeat_penalty',
    cache_path: '/slots',
    logprobs_need_top: true,
    engine_version: '0.7',
    always_stream: true,
    stream_tools_logprobs: false,
    root_paths: [],
    usage_per_choice: true,
    running_usage: 'timings_per_token',
    text_members: [],
    max_stop_strings: null,
    cache_salt: false,
  },
  openai: {
    ...vllm,
    thinking_kwarg: null,
    efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
    structured: 'response_format_only',
    tokenize: 'none',
    developer_role: true,
    engine_version: null,
    health_path: null,
    cache_path: null,
    root_paths: [],
    text_members: ['echo', 'suffix', 'best_of'],
    max_stop_strings: null,
    top_k_all: -1,
    cache_salt: false,
  },
}

export const ENGINES = Object.keys(PROFILES) as readonly Engine[]
