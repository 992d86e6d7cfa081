import { definePlugin } from '../../../lib/plugin.ts'
import { inFlight, key, target, usage } from '../../slots.ts'
import { newTokenPace } from '../token-pace.ts'
import { AccountSeries } from './account-series.ts'
import { BackendSeries } from './backend-series.ts'
import { OTHER } from './busiest.ts'
import { PACE, RequestSeries } from './series.ts'

export default definePlugin({
  name: 'metrics',
  summary: 'Counts requests, tokens and times for Prometheus.',
  provides: [inFlight],
  reads: [key, target, usage],

  setup(_options, { metrics, clock, config }) {
    const series = new RequestSeries(metrics)
    const backends = new BackendSeries(metrics)
    const { accounts: shown } = config.metrics
    const accounts = shown === 0 ? null : new AccountSeries(metrics, clock, shown)
    return {
      onHeaders(exchange) {
        const isCounted = exchange.surface !== 'batch'
        if (isCounted) series.inFlight.inc()
        exchange.set(inFlight, isCounted)
      },

      transform(exchange) {
        const own = exchange.find(usage)
        if (own !== undefined && exchange.streaming) own.pace ??= newTokenPace(PACE)
        return undefined
      },

      onFinish(exchange) {
        if (exchange.find(inFlight) === true) series.inFlight.dec()
        // A model that is not in the configuration is `other` (docs/DESIGN.md#closed-label-sets).
        const model = exchange.find(target)?.model.id ?? OTHER
        series.countResponse(exchange, model)
        const reply = exchange.find(usage)
        const caller = exchange.find(key)
        if (caller !== undefined && exchange.surface !== 'batch') accounts?.observe(caller.account, reply)
        if (!exchange.route.proxied) return
        series.observeReply(exchange, model, reply)
        backends.observe(exchange.attemptFacts, reply, exchange.streaming)
      },
    }
  },
})
