import { definePlugin, slot } from '../../../lib/plugin.ts'
import { chat, key, target, usage, zdr } from '../../slots.ts'
import type { Options } from './generated/options.ts'
import options from './options.json' with { type: 'json' }
import { RequestSpans } from './request-spans.ts'
import { TokenWatch } from './token-watch.ts'

/** The spans of a request. */
const requestSpans = slot('request-spans').of<RequestSpans>()

export default definePlugin({
  name: 'trace',
  summary: 'Exports spans of requests and attempts to an OpenTelemetry collector.',
  routes: { proxied: true },
  options,
  provides: [requestSpans],
  reads: [key, chat, target, usage, zdr],

  async setup({ endpoint, sample, parent }: Options, { log, metrics, clock }) {
    // Loaded only if requests are traced, because loading the SDK takes 60 MB and some tenths of a second.
    const { Tracing } = await import('./tracing.ts')
    const tracing = new Tracing({ endpoint, sample, parent }, { log, metrics, clock })
    return {
      onHeaders(exchange) {
        exchange.set(requestSpans, new RequestSpans())
      },

      onAttempt(exchange) {
        const spans = exchange.get(requestSpans)
        if (spans.isSampled === null) {
          tracing.begin(spans, exchange, exchange.find(target)?.model.id, Boolean(exchange.find(zdr)))
        }
        tracing.beginAttempt(spans, exchange)
      },

      transform(exchange) {
        const client = exchange.get(requestSpans).clients.at(-1)
        return exchange.streaming && client !== undefined ? new TokenWatch(client, clock) : undefined
      },

      onFinish(exchange) {
        // A request that a plugin above has refused has no spans.
        const spans = exchange.find(requestSpans) ?? new RequestSpans()
        if (spans.isSampled === null) {
          tracing.begin(spans, exchange, exchange.find(target)?.model.id, Boolean(exchange.find(zdr)))
        }
        const request = exchange.find(zdr) ? undefined : exchange.find(chat)
        tracing.end(spans, exchange, exchange.find(key)?.account, request, exchange.find(usage))
      },

      close: () => tracing.close(),
    }
  },
})
