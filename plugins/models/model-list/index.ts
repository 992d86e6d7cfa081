import { backendOptions, type Config, definePlugin, type JsonObject, type ModelConfig } from '../../../lib/plugin.ts'
import { key } from '../../slots.ts'
import { usableModel } from '../resolve.ts'

export default definePlugin({
  name: 'model-list',
  summary: 'Answers GET /v1/models with the cards of the models the key may use, and GET /v1/models/{id} with one.',
  routes: { route: ['model-list', 'model-card'] },
  needs: [key],

  setup(_options, { models, config }) {
    return {
      onHeaders(exchange) {
        const { endpoint, params } = exchange
        const caller = exchange.get(key)
        if (exchange.route.name === 'model-list') {
          const visible = models.visible(caller, endpoint)
          return exchange.reply(200, { object: 'list', data: visible.flatMap(model => cardsOf(model, config)) })
        }
        const name = decoded(params.model_id!)
        const own = cardsOf(usableModel(models, name, caller, endpoint), config)
        exchange.reply(200, own.find(({ id }) => id === name) ?? own[0]!)
      },
    }
  },
})

/** A name from a path. An invalid percent encoding stays as it is: no model has such a name. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The card of a model, then those of its aliases if the configuration lists them. */
function cardsOf(model: ModelConfig, { brand, model_list }: Pick<Config, 'brand' | 'model_list'>): JsonObject[] {
  const card = modelCard(model, brand)
  const aliases = model_list.aliases ? model.aliases : []
  return [card, ...aliases.map(alias => ({ ...card, id: alias, root: model.id }))]
}

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
