import { definePlugin, fail, type ModelConfig, mayUse } from '../../../lib/plugin.ts'
import { chat, key, target, zdr } from '../../slots.ts'

/** How many ids the message of model_not_found lists. */
const SHOWN_MODELS = 50

export default definePlugin({
  name: 'model',
  summary: 'Resolves the model, checks that the key may use it and picks the ZDR partition.',
  routes: { canonical: true },
  needs: [chat, key],
  provides: [target],
  wants: [zdr],

  setup: (_options, { models }) => ({
    onBody(exchange) {
      const name = exchange.get(chat).model
      const caller = exchange.get(key)
      const model = models.find(name, exchange.endpoint)
      if (model === undefined) return unknown(name, models.visible(caller, exchange.endpoint))
      if (!mayUse(caller, model)) fail('model_not_allowed', { model: model.id }, { param: 'model' })
      const asked = exchange.find(zdr) ?? null
      if (asked !== null && !model.backends.some(backend => backend.zdr)) {
        // 400 when the header asks, 422 when account policy asks (docs/DESIGN.md#zero-data-retention).
        fail('model_zdr_not_supported', { model: name }, { param: 'model', status: asked === 'header' ? 400 : 422 })
      }
      exchange.set(target, {
        model,
        zdr: asked !== null,
        alternatives: () => models.visible(caller, exchange.endpoint),
      })
    },
  }),
})

function unknown(name: string, available: readonly ModelConfig[]): never {
  const ids = available.map(({ id }) => id)
  const shown = ids.slice(0, SHOWN_MODELS).join(', ') + (ids.length > SHOWN_MODELS ? ', …' : '')
  fail('model_not_found', { model: name.slice(0, 200), available: shown === '' ? 'none' : shown }, { param: 'model' })
}
