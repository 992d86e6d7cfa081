import { definePlugin, type Route, type Target } from '../../../lib/plugin.ts'
import { inFlight, target, usage } from '../../slots.ts'
import { RequestSeries } from './series.ts'

/** Label of models that are not in the configuration: labels come from closed sets (docs/DESIGN.md#closed-label-sets). */
const OTHER = 'other'

export default definePlugin({
  name: 'metrics',
  summary: 'Counts requests, tokens and times for Prometheus.',
  provides: [inFlight],
  reads: [target, usage],

  setup(_options, { metrics }) {
    const series = new RequestSeries(metrics)
    const seriesOf = ({ name }: Route, reached: Target | undefined) => series.of(name, reached?.model.id ?? OTHER)
    return {
      onHeaders(exchange) {
        series.inFlight.inc()
        exchange.set(inFlight, true)
      },

      transform(exchange) {
        const own = exchange.find(usage)
        if (own !== undefined && exchange.streaming) own.pace = seriesOf(exchange.route, exchange.find(target)).pace
        return undefined
      },

      onFinish(exchange) {
        if (exchange.find(inFlight) === true) series.inFlight.dec()
        const of = seriesOf(exchange.route, exchange.find(target))
        of.countResponse(exchange.status, exchange.error?.code ?? '')
        if (exchange.route.proxied) of.observeReply(exchange, exchange.find(usage))
      },
    }
  },
})
