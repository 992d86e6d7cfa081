import { definePlugin } from '../../lib/plugin.ts'
import { counted, meter, target } from '../slots.ts'
import { RequestSeries } from './series.ts'

/** Label of what is not in the configuration: labels come from closed sets (design.md rule 11). */
const OTHER = 'other'

export default definePlugin({
  name: 'metrics',
  summary: 'Counts requests, tokens and times for Prometheus.',
  provides: [counted],
  reads: [target, meter],

  setup(_options, { metrics }) {
    const series = new RequestSeries(metrics)
    return {
      onHeaders(exchange) {
        series.inFlight.inc()
        exchange.set(counted, true)
      },

      onFinish(exchange) {
        if (exchange.find(counted) === true) series.inFlight.dec()
        const of = series.of(exchange.route.name, exchange.find(target)?.model.id ?? OTHER)
        of.answered(exchange.status, exchange.error?.code ?? '')
        if (exchange.route.proxied) of.timed(exchange, exchange.find(meter))
      },
    }
  },
})
