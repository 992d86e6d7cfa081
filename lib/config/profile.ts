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
  'engine is currently busy',
  'token backlog limit',
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
  'increase the physical batch size',
]

/**
 * Messages of llama-server: no image decoder, no `mmproj`, a failing chat template, a reply beyond the window, an input
 * of an embedding beyond `-ub`. Of SGLang before 0.5.19: an image that cannot be loaded. Of SGLang: a text with the
 * marker of an image. Its message then ends after the colon, unlike that of a GPU without memory.
 */
const REFUSAL = [
  'image input is not supported',
  'audio input is not supported',
  'video input is not supported',
  'failed to load image',
  'failed to process image',
  'jinja exception',
  'context size has been exceeded',
  'increase the physical batch size',
  'error while loading data',
  'loading multimodal data:  internalservererror',
]

/** The message of SGLang with SGLANG_REQ_RUNNING_TIMEOUT. */
const TIMEOUT = ['request running timeout reached']

/** Messages of a llama-server that routes to several models. */
const MISSING_MODEL = ["model '*' not found", 'model is not loaded', 'model name=* is not found']

/**
 * Request members of vLLM 0.29 and SGLang 0.5.19. Not listed: members that the gateway reads or sets, and those with
 * which a client could harm a server (`chat_template`, `mm_processor_kwargs`, `logits_processors`, `prompt_embeds`).
 */
const VLLM_MEMBERS = [
  'add_generation_prompt',
  'add_special_tokens',
  'allowed_token_ids',
  'bad_words',
  'chat_template_kwargs.*',
  'continue_final_message',
  'documents',
  'ignore_eos',
  'include_reasoning',
  'include_stop_str_in_output',
  'length_penalty',
  'min_tokens',
  'repetition_detection',
  'return_token_ids',
  'return_tokens_as_token_ids',
  'skip_special_tokens',
  'spaces_between_special_tokens',
  'stop_token_ids',
  'structured_outputs',
  'thinking_token_budget',
  'use_beam_search',
]
const SGLANG_MEMBERS = [
  'chat_template_kwargs.*',
  'continue_final_message',
  'ebnf',
  'ignore_eos',
  'min_tokens',
  'no_stop_trim',
  'return_prompt_token_ids',
  'return_token_ids',
  'separate_reasoning',
  'skip_special_tokens',
  'stop_regex',
  'stop_token_ids',
  'stream_reasoning',
]

/** Names that stand for several members in `passthrough` of a model. */
export const PASSTHROUGH_SETS: Readonly<Record<string, readonly string[]>> = {
  vllm: VLLM_MEMBERS,
  sglang: SGLANG_MEMBERS,
}

const vllm: BackendProfile = {
  engine_version: '0.29',
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
  finish_reasons: {},
  running_usage: 'continuous_usage_stats',
  text_members: ['echo'],
  passthrough_members: VLLM_MEMBERS,
  max_stop_strings: 4,
  top_k_all: 0,
  image_detail_original: true,
  cache_by_priority: false,
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
    engine_version: '0.5.19',
    structured: 'sglang',
    passthrough_members: SGLANG_MEMBERS,
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
    passthrough_members: ['add_generation_prompt', 'chat_template_kwargs.*', 'ignore_eos'],
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
    passthrough_members: [],
    max_stop_strings: null,
    top_k_all: -1,
    cache_salt: false,
  },
}

export const ENGINES = Object.keys(PROFILES) as readonly Engine[]
