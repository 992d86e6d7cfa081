import { isObject, type JsonObject } from '../lib/base/json.ts'
import { transcribeSeconds } from './audio.ts'
import type { EngineTraits } from './engine-traits.ts'
import { cacheUse, metricsPage } from './load.ts'
import { draw, edit, moderate, speak } from './media.ts'
import { classify, embeddings, rerankUsageFirst, scorePairs } from './pooling.ts'
import { BLOCK_TOKENS } from './prefix-cache.ts'
import { badRequest, invalidMember, Refusal } from './refusal.ts'

const TYPES: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  404: 'NotFoundError',
  501: 'NotImplementedError',
  503: 'ServiceUnavailableError',
}

const VERSION = '0.29.0'

/** Default of VLLM_MAX_STOP_STRINGS, since 2026-08-11. */
const MAX_STOP_STRINGS = 4

/** Salts that reach other caches, too: vllm/entrypoints/generate/base/protocol.py, since 2026-09. */
const SALT = /^[^@/\\\0]{1,128}$/

/**
 * vLLM 0.29, as of 2026-09. Errors about length: vllm/renderers/params.py, vllm/v1/engine/input_processor.py.
 * Metrics: vllm/v1/metrics/loggers.py.
 */
export const vllm: EngineTraits = {
  reasoningByDefault: false,
  queueFullInStream: false,
  reasoningField: 'reasoning',
  reasoningInputs: ['reasoning', 'reasoning_content'],
  efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
  imageDetails: null,
  runningUsage: 'usage',
  usageNullOnChunks: false,
  textUsageOnLastChunk: false,
  usageOfOneChoice: false,
  batchBeginsWithNull: false,
  textLogprobsAsChat: false,
  logprobsNeedTop: false,
  sparse: false,
  cancelsJsonReply: true,
  noVision: badRequest('The model is not a multimodal model.'),
  namedToolChoice: true,
  namedToolFinish: 'stop',
  parallelSwitch: true,
  structured: 'structured_outputs',
  tokenize: 'messages',
  checksModel: true,
  echo: true,
  cacheSalt: true,
  stopField: 'stop_reason',
  naturalStop: null,
  zeroCachedIsNull: false,
  argumentPieces: 'tokens',
  finishCarriesText: true,
  doneAfterError: true,
  maxRequestsPerSocket: 0,
  streamHeaders: {},
  idPrefix: { chat: 'chatcmpl-', text: 'cmpl-', tool: 'chatcmpl-tool-' },
  // --max-num-queued-reqs: vllm/exceptions.py
  queueFull: new Refusal(503, 'The engine is currently busy and cannot accept new requests.', {
    type: 'Service Unavailable',
  }),
  invalidJson: new Refusal(400, "[{'type': 'json_invalid', 'loc': ('body', 0), 'msg': 'JSON decode error'}]"),
  unauthorized: { status: 401, body: { error: 'Unauthorized' } },
  pooling: {
    '/v1/embeddings': embeddings(hash => ({ id: `embd-${hash}`, created: 1_700_000_000 })),
    '/rerank': rerankUsageFirst,
    '/v1/rerank': rerankUsageFirst,
    '/v2/rerank': rerankUsageFirst,
    '/score': scorePairs,
    '/v1/score': scorePairs,
    '/classify': classify,
    '/v1/audio/speech': speak,
    '/v1/images/generations': draw,
    '/v1/moderations': moderate,
  },
  healthBody: '',
  detokenized: 'prompt',
  audio: {
    '/v1/audio/transcriptions': transcribeSeconds,
    '/v1/audio/translations': transcribeSeconds,
    '/v1/images/edits': edit,
  },
  info: {
    '/version': () => ({ version: VERSION }),
    '/ping': () => '',
    '/load': (_model, load) => ({ server_load: load.running + load.waiting }),
    '/server_info': () => ({ vllm_config: 'simulated', vllm_env: {}, system_env: {} }),
    '/metrics': ({ id }, load) =>
      metricsPage(
        [
          ['vllm:num_requests_running', load.running],
          ['vllm:num_requests_waiting', load.waiting],
          ['vllm:kv_cache_usage_perc', cacheUse(load, BLOCK_TOKENS)],
          ['vllm:prefix_cache_queries_total', load.promptTokens],
          ['vllm:prefix_cache_hits_total', load.cachedTokens],
          ['vllm:prompt_tokens_total', load.promptTokens],
          ['vllm:generation_tokens_total', load.completionTokens],
          ['vllm:cache_config_info', 1, { block_size: String(BLOCK_TOKENS), num_gpu_blocks: String(load.blocks) }],
        ],
        { model_name: id, engine: '0' },
      ),
  },
  delta: (member, json) => `{"${member}":${json}}`,
  openingDelta: '{"role":"assistant","content":""}',
  closingDelta: '{"content":""}',
  toolDelta: (index, args, opening) =>
    opening === undefined
      ? { index, function: { arguments: args } }
      : { id: opening.id, type: 'function', index, function: { name: opening.name, arguments: args } },
  messageExtras: { refusal: null, annotations: null, audio: null, function_call: null },
  replyExtras: { service_tier: null, system_fingerprint: null, prompt_logprobs: null, kv_transfer_params: null },
  usageExtras: reasoningTokens => ({ completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  extraChunk: undefined,

  // vllm/entrypoints/openai/chat_completion/protocol.py and sampling_params.py
  refusalOf(body, route) {
    const { tools, top_logprobs: top, logprobs, temperature, n, prompt, cache_salt: salt } = body
    if (typeof salt === 'string' && !SALT.test(salt)) return badSalt(salt)
    if (Array.isArray(tools) && tools.length === 0)
      return badRequest(
        '`tools` must not be an empty array. Either provide at least one tool or omit the field entirely.',
      )
    if (route === 'chat' && typeof top === 'number' && top > 0 && logprobs !== true)
      return badRequest('when using `top_logprobs`, `logprobs` must be set to true.', 'top_logprobs')
    if (route === 'text' && prompt === '') return badRequest('The decoder prompt cannot be empty', 'prompt')
    if (isObject(body.structured_outputs) && isObject(body.tool_choice))
      return badRequest('You can only either use constraints for structured outputs or tools, not both.')
    if (typeof n === 'number' && n > 1 && temperature === 0)
      return badRequest(`n must be 1 when using greedy sampling, got ${n}.`)
    return tooManyStops(body, MAX_STOP_STRINGS)
  },

  errorBody({ status, message, details }) {
    const { type = TYPES[status] ?? 'InternalServerError', param = null, extra } = details
    return { error: { message, type, param, code: status, ...extra } }
  },

  routeError: status => ({ detail: status === 404 ? 'Not Found' : 'Method Not Allowed' }),

  modelList(models, created) {
    return {
      object: 'list',
      data: models.map(
        ({ id, max_model_len }): JsonObject => ({
          id,
          object: 'model',
          created,
          owned_by: 'vllm',
          root: id,
          parent: null,
          max_model_len,
          permission: [],
        }),
      ),
    }
  },

  checkContext(promptTokens, maxTokens, window) {
    if (maxTokens !== undefined && maxTokens > window) {
      const text = `max_tokens=${maxTokens} cannot be greater than max_model_len=max_total_tokens=${window}.`
      return badRequest(`${text} Please request fewer output tokens.`, 'max_tokens')
    }
    if (maxTokens !== undefined && promptTokens + maxTokens > window) {
      // vLLM stops counting at the first token that does not fit.
      const counted = window - maxTokens + 1
      return badRequest(
        `This model's maximum context length is ${window} tokens. However, you requested ${maxTokens} output tokens ` +
          `and your prompt contains at least ${counted} input tokens, for a total of at least ${window + 1} tokens. ` +
          'Please reduce the length of the input prompt or the number of requested output tokens.',
        'input_tokens',
      )
    }
    if (promptTokens < window) return undefined
    const plus = promptTokens === window ? ' plus the number of requested output tokens (at least 1)' : ''
    return badRequest(
      `The decoder prompt (length ${promptTokens})${plus} is longer than the maximum model length of ${window}. ` +
        'Make sure that `max_model_len` is no smaller than the number of text tokens.',
    )
  },
}

function badSalt(salt: string): Refusal {
  const rule =
    salt === ''
      ? 'a non-empty string if provided.'
      : "at most 128 characters and must not contain '@', '/', '\\\\', or NUL."
  return badRequest(`Parameter 'cache_salt' must be ${rule}`, 'cache_salt')
}

function tooManyStops({ stop }: JsonObject, max: number): Refusal | undefined {
  if (!Array.isArray(stop) || stop.length <= max) return undefined
  return invalidMember('stop', 'too_long', `List should have at most ${max} items after validation, not ${stop.length}`)
}
