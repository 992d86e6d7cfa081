import type { JsonObject } from '../lib/base/json.ts'
import { transcribeSeconds } from './audio.ts'
import type { EngineTraits } from './engine-traits.ts'
import { cacheUse, metricsPage } from './load.ts'
import { classify, embeddings, rerankUsageFirst, scorePairs } from './pooling.ts'
import { BLOCK_TOKENS } from './prefix-cache.ts'
import { badRequest, Refusal } from './refusal.ts'

const TYPES: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  404: 'NotFoundError',
  501: 'NotImplementedError',
  503: 'ServiceUnavailableError',
}

const VERSION = '0.12.0'

/** vLLM 0.12 and newer. */
export const vllm: EngineTraits = {
  reasoningByDefault: false,
  queueFullInStream: false,
  reasoningField: 'reasoning',
  reasoningInputs: ['reasoning', 'reasoning_content'],
  efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
  continuousUsage: true,
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
  refusesSuffix: true,
  echo: true,
  stopField: 'stop_reason',
  naturalStop: null,
  zeroCachedIsNull: false,
  argumentPieces: 'tokens',
  finishCarriesText: true,
  doneAfterError: true,
  maxRequestsPerSocket: 0,
  streamHeaders: {},
  idPrefix: { chat: 'chatcmpl-', text: 'cmpl-', tool: 'chatcmpl-tool-' },
  queueFull: new Refusal(503, 'The server is overloaded: too many queued requests (QueueOverflowError).'),
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
  },
  healthBody: '',
  detokenized: 'prompt',
  audio: { '/v1/audio/transcriptions': transcribeSeconds },
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
    if (promptTokens >= window) {
      return new Refusal(
        400,
        `This model's maximum context length is ${window} tokens. However, you requested ${maxTokens ?? 0} output tokens ` +
          `and your prompt contains at least ${promptTokens} input tokens, ${promptTokens + (maxTokens ?? 0)} in total.`,
        { param: 'input_tokens' },
      )
    }
    if (maxTokens === undefined || promptTokens + maxTokens <= window) return undefined
    return new Refusal(
      400,
      `'max_tokens' or 'max_completion_tokens' is too large: ${maxTokens}. This model's maximum context length is ` +
        `${window} tokens and your request has ${promptTokens} input tokens (${maxTokens} > ${window} - ${promptTokens}).`,
      { param: 'max_tokens' },
    )
  },
}
