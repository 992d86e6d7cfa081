import { definePlugin, fail, type JsonObject, lengthOf } from '../../../lib/plugin.ts'
import {
  batchLine,
  charge,
  chat,
  clientSampling,
  endUser,
  key,
  modelNamed,
  requestTags,
  target,
  unitUse,
  usage,
  zdr,
} from '../../slots.ts'
import { toRecord } from './record.ts'

const PROBLEM = 'This gateway cannot keep records of requests at the moment: send the request again.'

const modelOf = ({ model }: JsonObject): unknown => model

export default definePlugin({
  name: 'records',
  summary: 'Writes one record of every request into the journal.',
  routes: { proxied: true },
  provides: [modelNamed],
  reads: [key, zdr, requestTags, chat, clientSampling, target, usage, charge, endUser, unitUse, batchLine],

  setup: (_options, { records, models, keyedHash }) => ({
    onHeaders() {
      // A request without a record could not be found or billed later (docs/adr/0007).
      if (!records.healthy)
        fail('internal_error', {}, { status: 503, headers: { 'retry-after': '5' }, message: PROBLEM })
    },

    onBody(exchange) {
      // From the body, because a refused body has no canonical form.
      const model = exchange.validateBody(modelOf)
      exchange.set(modelNamed, typeof model === 'string' ? model : null)
    },

    onFinish(exchange) {
      const caller = exchange.find(key)
      // A request without a key belongs to no account. Only metrics and the log contain it.
      if (caller === undefined) return
      const request = exchange.find(chat)
      const resolved = exchange.find(target)
      const session = resolved?.session
      const required = exchange.find(zdr) ?? null
      const model = request?.model ?? exchange.find(modelNamed) ?? null
      // Under zero data retention, a name that no model has is not kept: it is the client's own text.
      const isKnown = resolved !== undefined || model === null || models.find(model, exchange.endpoint) !== undefined
      const line = exchange.find(batchLine)
      const record = toRecord(exchange, caller, {
        zdr: required,
        tags: exchange.find(requestTags) ?? null,
        request,
        model: required === null || isKnown ? model : lengthOf(model),
        sampling: exchange.find(clientSampling) ?? request?.sampling,
        target: resolved,
        usage: exchange.find(usage),
        charge: exchange.find(charge) ?? null,
        unitUse: exchange.find(unitUse) ?? null,
        endUser: exchange.find(endUser) ?? null,
        session: required !== null || session === undefined ? null : keyedHash(caller.account.id, session),
        line,
      })
      if (line === undefined) records.append(record)
      else line.keep(record)
    },
  }),
})
