import { backendOptions, definePlugin, type JsonObject, type ModelConfig } from '../../../lib/plugin.ts'
import { key } from '../../slots.ts'

export default definePlugin({
  name: 'model-list',
  summary: 'Answers GET /v1/models with the cards of the models the key may use.',
  routes: { route: ['model-list'] },
  needs: [key],

  setup(_options, { models, config }) {
    const cards = new Map(models.all.map(model => [model, modelCard(model, config.brand)]))
    return {
      onHeaders(exchange) {
        const visible = models.visible(exchange.get(key), exchange.endpoint)
        exchange.reply(200, { object: 'list', data: visible.map(model => cards.get(model)!) })
      },
    }
  },
})

/** A model as clients see it (docs/api/models.md#model-card). The member `service` has the name of the brand. */
function modelCard(model: ModelConfig, brand: string): JsonObject {
  const { vision, tools, reasoning, reasoning_effort, chat_completions, messages, responses, zdr } = model.capabilities
  return {
    id: model.id,
    object: 'model',
    created: model.created,
    owned_by: model.owned_by,
    ...(model.max_model_len === undefined ? null : { max_model_len: model.max_model_len }),
    zdr_supported: backendOptions(model).some(backend => backend.zdr),
    [brand]: {
      kind: model.kind,
      capabilities: {
        vision,
        tools,
        reasoning: reasoning !== false,
        reasoning_effort: { default: reasoning_effort.default ?? null },
        chat_completions: { ...chat_completions },
        messages: { ...messages },
        responses: { ...responses },
        zdr: { ...zdr },
      },
      ...(model.pricing === undefined ? null : { pricing: { ...model.pricing } }),
    },
  }
}
