import { toRecord } from './record.ts'
import { definePlugin } from '../../lib/plugin.ts'
import { chat, key, meter, requestTags, target, zdr } from '../slots.ts'

export default definePlugin({
  name: 'records',
  summary: 'Writes one record of every request into the journal.',
  routes: { proxied: true },
  needs: [key],
  wants: [zdr, requestTags, chat, target, meter],

  setup: (_options, { records }) => ({
    onFinish(exchange) {
      const caller = exchange.find(key)
      // Without a key there is nobody whose request it was; metrics and the log have counted it.
      if (caller === undefined) return
      records.append(
        toRecord(exchange, caller, {
          zdr: exchange.find(zdr) ?? null,
          tags: exchange.find(requestTags) ?? null,
          request: exchange.find(chat),
          target: exchange.find(target),
          meter: exchange.find(meter),
        }),
      )
    },
  }),
})
