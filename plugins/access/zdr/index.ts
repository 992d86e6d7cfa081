import { definePlugin, fail } from '../../../lib/plugin.ts'
import { key, zdr } from '../../slots.ts'

export default definePlugin({
  name: 'zdr',
  summary: 'Reads whether zero data retention is required, by header or by account.',
  routes: { access: ['key', 'visitor'] },
  needs: [key],
  provides: [zdr],

  setup(_options, { config }) {
    const header = `${config.brand}-zdr`.toLowerCase()
    const shown = `${config.brand[0]!.toUpperCase()}${config.brand.slice(1)}-ZDR`
    return {
      onHeaders(exchange) {
        const value = exchange.headers[header]
        if (value !== undefined && value !== 'required') fail('invalid_zdr_header', { header: shown })
        exchange.set(zdr, value !== undefined ? 'header' : exchange.get(key).account.zdrRequired ? 'policy' : null)
      },
    }
  },
})
