import type { JsonObject } from '../lib/base/json.ts'
import { transcribeTokens } from './audio.ts'
import type { EngineTraits, PoolingRoute } from './engine-traits.ts'
import { vllm } from './engine-vllm.ts'
import { type EngineLoad, metricsPage } from './load.ts'
import { embeddings, rerankIndexes } from './pooling.ts'
import { Refusal } from './refusal.ts'

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  501: 'not_supported_error',
  503: 'unavailable_error',
}

/**
 * llama-server 0.7. It reasons by default, has no named tool choice, counts each choice separately, and refuses little.
 */
export const llamaCpp: EngineTraits = {
  ...vllm,
  reasoningByDefault: true,
  reasoningField: 'reasoning_content',
  reasoningInputs: ['reasoning_content'],
  efforts: null,
  runningUsage: 'timings',
  textUsageOnLastChunk: true,
  usageOfOneChoice: true,
  batchBeginsWithNull: true,
  textLogprobsAsChat: true,
  logprobsNeedTop: true,
  sparse: true,
  cancelsJsonReply: false,
  namedToolChoice: false,
  parallelSwitch: false,
  structured: 'llama.cpp',
  tokenize: 'content',
  checksModel: false,
  // tools/server/server-common.cpp
  refusalOf({ tools, logprobs, top_logprobs: top, stream, echo }, route) {
    if (route === 'text') return echo === true ? new Refusal(400, 'Only no echo is supported') : undefined
    if (logprobs === true && stream === true && Array.isArray(tools) && tools.length > 0)
      return new Refusal(400, 'logprobs is not supported with tools + stream')
    if (logprobs !== true && top !== undefined && top !== null)
      return new Refusal(400, 'top_logprobs requires logprobs to be set to true')
    return undefined
  },
  echo: false,
  cacheSalt: false,
  stopField: null,
  argumentPieces: 'characters',
  finishCarriesText: false,
  doneAfterError: false,
  maxRequestsPerSocket: 100,
  streamHeaders: { 'x-accel-buffering': 'no' },
  idPrefix: { chat: 'chatcmpl-', text: 'chatcmpl-', tool: '' },
  queueFull: new Refusal(503, 'The request queue is full.'),
  noVision: new Refusal(500, 'image input is not supported - hint: if this is unexpected, you may need an mmproj'),
  invalidJson: new Refusal(400, '[json.exception.parse_error.101] parse error: syntax error while parsing value'),
  unauthorized: {
    status: 401,
    body: { error: { code: 401, message: 'Invalid API Key', type: 'authentication_error' } },
  },
  pooling: {
    '/v1/embeddings': inOneBatch(embeddings(() => ({}))),
    '/rerank': inOneBatch(rerankIndexes),
    '/v1/rerank': inOneBatch(rerankIndexes),
  },
  healthBody: '{"status":"ok"}',
  detokenized: 'content',
  audio: { '/v1/audio/transcriptions': transcribeTokens },
  info: {
    '/v1/health': () => ({ status: 'ok' }),
    '/slots': ({ max_model_len }, load) =>
      Array.from({ length: slotsOf(load) }, (_, id) => ({
        id,
        n_ctx: max_model_len,
        speculative: false,
        is_processing: id < load.running,
      })),
    '/metrics': (_model, load) =>
      metricsPage(
        [
          ['llamacpp:prompt_tokens_total', load.promptTokens - load.cachedTokens],
          ['llamacpp:tokens_predicted_total', load.completionTokens],
          ['llamacpp:requests_processing', load.running],
          ['llamacpp:requests_deferred', load.waiting],
        ],
        {},
      ),
    '/props': (model, load) => ({
      default_generation_settings: { n_ctx: model.max_model_len },
      total_slots: slotsOf(load),
      model_alias: model.id,
      modalities: { vision: model.vision, audio: false },
      chat_template: model.reasoning ? '{% if enable_thinking %}<think>{% endif %}' : '',
      build_info: 'b11669-simulated',
    }),
  },
  openingDelta: '{"role":"assistant","content":null}',
  closingDelta: '{}',
  messageExtras: {},
  replyExtras: { system_fingerprint: 'b11669-simulated' },
  usageExtras: () => ({}),

  errorBody({ status, message, details }) {
    const { type = TYPES[status] ?? 'server_error', extra } = details
    return { error: { code: status, message, type, ...extra } }
  },

  routeError: () => ({ error: { code: 404, message: 'File Not Found', type: 'not_found_error' } }),

  modelList(models, created) {
    return {
      object: 'list',
      models: models.map(({ id }) => ({ name: id, model: id, capabilities: ['completion'] })),
      data: models.map(
        ({ id, max_model_len, vision }): JsonObject => ({
          id,
          object: 'model',
          architecture: { input_modalities: vision ? ['text', 'image'] : ['text'], output_modalities: ['text'] },
          created,
          owned_by: 'llamacpp',
          meta: { n_ctx: max_model_len },
        }),
      ),
    }
  },

  // Only the prompt must fit: a generation that reaches the window ends with finish_reason length.
  checkContext(promptTokens, _maxTokens, window) {
    if (promptTokens < window) return undefined
    return new Refusal(
      400,
      `request (${promptTokens} tokens) exceeds the available context size (${window} tokens), try increasing it`,
      { type: 'exceed_context_size_error', extra: { n_prompt_tokens: promptTokens, n_ctx: window } },
    )
  },
}

/** Default of `-ub`, the physical batch. */
const BATCH_TOKENS = 512

/** Each input of a model that generates no text must fit the physical batch: tools/server/server-context.cpp. */
function inOneBatch(route: PoolingRoute): PoolingRoute {
  return (body, context) => {
    const checkLength = (tokens: number) => {
      context.checkLength(tokens)
      if (tokens <= BATCH_TOKENS) return
      const text = `input (${tokens} tokens) is too large to process. increase the physical batch size`
      throw new Refusal(500, `${text} (current batch size: ${BATCH_TOKENS})`)
    }
    return route(body, { ...context, checkLength })
  }
}

/** Number of slots (`-np`). A server without a limit has one per request. */
function slotsOf({ running, maxRunning }: EngineLoad): number {
  return Number.isFinite(maxRunning) ? maxRunning : Math.max(1, running)
}
