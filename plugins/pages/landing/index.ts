import { definePlugin } from '../../../lib/plugin.ts'

/** Clients request `/` to see whether the service is up (docs/DESIGN.md#client-probes). */
export default definePlugin({
  name: 'landing',
  summary: 'Answers GET and HEAD / so that clients see the gateway is there.',
  routes: { route: ['landing', 'landing-probe'] },

  setup: () => ({
    onHeaders: exchange =>
      exchange.reply(200, { object: 'gateway', status: 'ok', models: '/v1/models', errors: '/docs/errors' }),
  }),
})
