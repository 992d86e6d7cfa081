import type { JsonObject } from '../lib/base/json.ts'
import type { EngineTraits } from './engine-traits.ts'
import { vllm } from './engine-vllm.ts'
import { classify, embeddings, rerankList, scoreLabels } from './pooling.ts'
import { Refusal } from './refusal.ts'

/** A delta without content: every member is null. */
const NO_MEMBERS = '"role":null,"content":null,"reasoning_content":null,"tool_calls":null'

/** SGLang 0.5: a delta always has every member, errors are flat, a full queue is an error event in a 200. */
export const sglang: EngineTraits = {
  ...vllm,
  queueFullInStream: true,
  reasoningField: 'reasoning_content',
  reasoningInputs: ['reasoning_content'],
  efforts: ['none', 'low', 'medium', 'high', 'max'],
  usageNullOnChunks: true,
  namedToolFinish: 'tool_calls',
  structured: 'sglang',
  tokenize: 'prompt',
  refusesSuffix: false,
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
  info: {
    '/get_model_info': model => ({ model_path: model.id, tokenizer_path: model.id, is_generation: true }),
    '/get_server_info': model => ({ model_path: model.id, version: '0.5.6' }),
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

  checkContext(promptTokens, maxTokens, window) {
    if (promptTokens >= window) {
      return new Refusal(
        400,
        `The input (${promptTokens} tokens) is longer than the model's context length (${window} tokens).`,
      )
    }
    if (maxTokens === undefined || promptTokens + maxTokens <= window) return undefined
    return new Refusal(
      400,
      `Requested token count exceeds the model's maximum context length of ${window} tokens: ` +
        `${promptTokens} tokens of input and ${maxTokens} of completion.`,
    )
  },
}
