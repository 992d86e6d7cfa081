import { definePlugin, fail } from '../../../lib/plugin.ts'
import { charge, chat, clientSampling, key, modelNamed, requestTags, target, usage, zdr } from '../../slots.ts'
import { toRecord } from './record.ts'

const PROBLEM = 'This gateway cannot keep records of requests at the moment: send the request again.'

export default definePlugin({
  name: 'records',
  summary: 'Writes one record of every request into the journal.',
  routes: { proxied: true },
  provides: [modelNamed],
  reads: [key, zdr, requestTags, chat, clientSampling, target, usage, charge],

  setup: (_options, { records }) => ({
    onHeaders() {
      // A request without a record could not be found or billed later (docs/adr/0007).
      if (!records.healthy)
        fail('internal_error', {}, { status: 503, headers: { 'retry-after': '5' }, message: PROBLEM })
    },

    onBody(exchange) {
      // Here, because a body that is refused never gets a canonical form.
      const { model } = exchange.body
      exchange.set(modelNamed, typeof model === 'string' ? model : null)
    },

    onFinish(exchange) {
      const caller = exchange.find(key)
      // Without a key the request belongs to no account. Metrics and the log have it.
      if (caller === undefined) return
      const request = exchange.find(chat)
      records.append(
        toRecord(exchange, caller, {
          zdr: exchange.find(zdr) ?? null,
          tags: exchange.find(requestTags) ?? null,
          request,
          model: request?.model ?? exchange.find(modelNamed) ?? null,
          sampling: exchange.find(clientSampling) ?? request?.sampling,
          target: exchange.find(target),
          usage: exchange.find(usage),
          charge: exchange.find(charge) ?? null,
        }),
      )
    },
  }),
})
