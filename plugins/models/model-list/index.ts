import { definePlugin } from '../../../lib/plugin.ts'
import { key } from '../../slots.ts'
import { modelCard } from '../model-card.ts'

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
