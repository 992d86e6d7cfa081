import { systemClock } from '../lib/base/clock.ts'
import { isObject, type JsonObject } from '../lib/base/json.ts'
import type { EngineTraits } from './engine-traits.ts'
import { vllm } from './engine-vllm.ts'
import { cacheUse, type EngineLoad, metricsPage } from './load.ts'
import type { ModelSettings } from './options.ts'
import { classify, embeddings, rerankList, scoreLabels } from './pooling.ts'
import { BLOCK_TOKENS } from './prefix-cache.ts'
import { Refusal } from './refusal.ts'

const VERSION = '0.5.19'

/** Default of `--max-running-requests`. */
const DEFAULT_RUNNING = 2048

/** A delta without content: every member is null. */
const NO_MEMBERS = '"role":null,"content":null,"reasoning_content":null,"tool_calls":null'

/**
 * SGLang 0.5.19, as of 2026-09. A delta always has every member, errors are flat, a full queue is an error event in a
 * 200.
 */
export const sglang: EngineTraits = {
  ...vllm,
  queueFullInStream: true,
  reasoningField: 'reasoning_content',
  reasoningInputs: ['reasoning_content'],
  efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
  // srt/entrypoints/openai/protocol.py
  imageDetails: ['auto', 'low', 'high'],
  usageNullOnChunks: true,
  namedToolFinish: 'tool_calls',
  structured: 'sglang',
  // srt/sampling/sampling_params.py
  refusalOf({ top_k: top, regex, ebnf, tools, tool_choice: choice }) {
    if (top === 0) return new Refusal(400, 'top_k must be -1 (disable) or at least 1, got 0.')
    // A required call is a constraint too.
    const mustCall = Array.isArray(tools) && (choice === 'required' || isObject(choice))
    if (mustCall && typeof (regex ?? ebnf) === 'string')
      return new Refusal(400, 'Only one of regex, json_schema, or ebnf can be set.')
    return undefined
  },
  stopField: 'matched_stop',
  naturalStop: 151_645,
  zeroCachedIsNull: true,
  finishCarriesText: false,
  idPrefix: { chat: '', text: '', tool: 'call_' },
  queueFull: new Refusal(503, 'The request queue is full.', { type: 'SERVICE_UNAVAILABLE' }),
  invalidJson: new Refusal(400, '1 validation errors: JSON decode error'),
  pooling: {
    '/v1/embeddings': embeddings(() => ({})),
    '/v1/rerank': rerankList,
    '/v1/score': scoreLabels,
    '/v1/classify': classify,
  },
  detokenized: 'text',
  audio: {},
  info: {
    '/health_generate': () => '',
    '/model_info': modelInfo,
    '/get_model_info': modelInfo,
    '/server_info': serverInfo,
    '/get_server_info': serverInfo,
    '/get_load': (_model, load) => [
      {
        dp_rank: 0,
        num_reqs: load.running + load.waiting,
        num_waiting_reqs: load.waiting,
        num_tokens: load.usedTokens,
      },
    ],
    '/v1/loads': (_model, load) => ({
      timestamp: new Date(systemClock.now()).toISOString(),
      version: VERSION,
      accelerator: null,
      num_accelerators: 1,
      loads: [
        {
          dp_rank: 0,
          timestamp: systemClock.now() / 1000,
          num_running_reqs: load.running,
          num_waiting_reqs: load.waiting,
          num_used_tokens: load.usedTokens,
          num_total_tokens: load.usedTokens,
          max_total_num_tokens: load.blocks * BLOCK_TOKENS,
          token_usage: cacheUse(load, BLOCK_TOKENS),
          cache_hit_rate: hitRate(load),
          max_running_requests: runningLimit(load),
        },
      ],
    }),
    '/metrics': ({ id }, load) =>
      metricsPage(
        [
          ['sglang:num_running_reqs', load.running],
          ['sglang:num_queue_reqs', load.waiting],
          ['sglang:num_used_tokens', load.usedTokens],
          ['sglang:token_usage', cacheUse(load, BLOCK_TOKENS)],
          ['sglang:max_total_num_tokens', load.blocks * BLOCK_TOKENS],
          ['sglang:cache_hit_rate', hitRate(load)],
          ['sglang:prompt_tokens_total', load.promptTokens],
          ['sglang:cached_tokens_total', load.cachedTokens],
          ['sglang:generation_tokens_total', load.completionTokens],
        ],
        { model_name: id, engine_type: 'unified', tp_rank: '0', pp_rank: '0' },
      ),
  },
  delta(member, json) {
    const at = NO_MEMBERS.indexOf(`"${member}":null`) + member.length + 3
    return `{${NO_MEMBERS.slice(0, at)}${json}${NO_MEMBERS.slice(at + 4)}}`
  },
  openingDelta: '{"role":"assistant","content":"","reasoning_content":null,"tool_calls":null}',
  closingDelta: `{${NO_MEMBERS}}`,
  toolDelta: (index, args, opening) => ({
    id: opening?.id ?? null,
    index,
    type: 'function',
    function: { name: opening?.name ?? null, arguments: args },
  }),
  messageExtras: {},
  replyExtras: { metadata: { weight_version: 'default' } },
  usageExtras: reasoningTokens => ({ reasoning_tokens: reasoningTokens }),
  extraChunk: { sglext: { routed_experts: null } },

  errorBody({ status, message, details }) {
    const { type = status < 500 ? 'BadRequestError' : 'InternalServerError', param = null, extra } = details
    return { object: 'error', message, type, param, code: status, ...extra }
  },

  modelList(models, created) {
    return {
      object: 'list',
      data: models.map(
        ({ id, max_model_len }): JsonObject => ({
          id,
          object: 'model',
          created,
          owned_by: 'sglang',
          root: id,
          parent: null,
          max_model_len,
        }),
      ),
    }
  },

  checkContext(promptTokens, maxTokens, window, images = 0) {
    // Images are few tokens until the scheduler expands them.
    const written = promptTokens - images
    // srt/entrypoints/openai/serving_chat.py
    if (maxTokens !== undefined && maxTokens > window) {
      const text = `max_completion_tokens is too large: ${maxTokens}.This model supports at most ${window} completion tokens.`
      return new Refusal(400, text)
    }
    // srt/managers/tokenizer_manager.py
    if (written >= window) {
      return new Refusal(
        400,
        `The input (${written} tokens) is longer than the model's context length (${window} tokens).`,
      )
    }
    if (maxTokens !== undefined && written + maxTokens > window) return tooManyInAll(written, maxTokens, window)
    // srt/managers/scheduler.py, srt/managers/utils.py
    const maxPromptTokens = window - RESERVED_TOKENS
    if (promptTokens < maxPromptTokens) return undefined
    const text =
      images > 0
        ? 'Multimodal prompt is too long after expanding multimodal tokens. ' +
          `After expanding len(req.origin_input_ids_unpadded)=${written} => ${promptTokens} >= ${maxPromptTokens}.`
        : `Input length (${promptTokens} tokens) exceeds the maximum allowed length (${maxPromptTokens} tokens). ` +
          'Use a shorter input or enable --allow-auto-truncate.'
    return new Refusal(400, text, { inStream: true })
  },
}

/** Tokens of the window that the scheduler reserves for generation. */
const RESERVED_TOKENS = 6

function tooManyInAll(promptTokens: number, maxTokens: number, window: number): Refusal {
  return new Refusal(
    400,
    `Requested token count exceeds the model's maximum context length of ${window} tokens. ` +
      `You requested a total of ${promptTokens + maxTokens} tokens: ${promptTokens} tokens from the input messages and ` +
      `${maxTokens} tokens for the completion. Please reduce the number of tokens in the input messages or the ` +
      'completion to fit within the limit.',
  )
}

function modelInfo({ id }: ModelSettings): JsonObject {
  return { model_path: id, tokenizer_path: id, is_generation: true }
}

function serverInfo({ id, max_model_len }: ModelSettings, load: EngineLoad): JsonObject {
  return {
    model_path: id,
    version: VERSION,
    context_length: max_model_len,
    max_total_num_tokens: load.blocks * BLOCK_TOKENS,
    max_running_requests: runningLimit(load),
  }
}

function hitRate({ promptTokens, cachedTokens }: EngineLoad): number {
  return promptTokens === 0 ? 0 : cachedTokens / promptTokens
}

function runningLimit({ maxRunning }: EngineLoad): number {
  return Number.isFinite(maxRunning) ? maxRunning : DEFAULT_RUNNING
}
