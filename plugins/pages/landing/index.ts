import { definePlugin } from '../../../lib/plugin.ts'

/** Clients request `/` to check whether the service is up (docs/DESIGN.md#client-probes). */
export default definePlugin({
  name: 'landing',
  summary: 'Answers GET / so that clients can check whether the gateway is up.',
  routes: { route: ['landing'] },

  setup: () => ({
    onHeaders: exchange =>
      exchange.reply(200, { object: 'gateway', status: 'ok', models: '/v1/models', errors: '/docs/errors' }),
  }),
})
