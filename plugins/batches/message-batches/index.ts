import { once } from 'node:events'
import { type Batch, type Batches, hasEnded, queryReader } from '../../../lib/console.ts'
import { definePlugin, fail, filesInTime, type JsonObject, readSchema } from '../../../lib/plugin.ts'
import { key, zdr } from '../../slots.ts'
import { batchesOf, batchLimits, refuseNewBatch, unknownBatch } from '../access.ts'
import { messageBatch } from './message-batch.ts'

/** A query that schemas/queries/message-batch-list.json accepts, with its defaults. */
interface ListQuery {
  readonly before_id?: string
  readonly after_id?: string
  readonly limit: number
}

/** A request of a body that schemas/bodies/message-batch.json accepts. */
interface BatchRequest extends JsonObject {
  custom_id: string
  params: JsonObject
}

const API = 'anthropic'
const ID = /^msgbatch_[0-9a-f]{24}$/
const ENDPOINT = '/v1/messages'

export default definePlugin({
  name: 'message-batches',
  summary: "Answers Anthropic's Message Batches API.",
  routes: {
    route: [
      'message-batch-create',
      'message-batch-list',
      'message-batch',
      'message-batch-cancel',
      'message-batch-delete',
      'message-batch-results',
    ],
  },
  needs: [key],
  wants: [zdr],
  after: ['rate-limit', 'validate'],

  setup(_options, host) {
    const readList = queryReader<ListQuery>(readSchema('queries/message-batch-list'), 'schema_validation_failed')
    return {
      async onHeaders(exchange) {
        const { batches, owner } = batchesOf(exchange, host)
        const { batch_id: id = '' } = exchange.params
        const { origin } = exchange
        switch (exchange.route.name) {
          case 'message-batch-create':
            return refuseNewBatch(exchange, host)
          case 'message-batch-list':
            return exchange.reply(200, await listOf(batches, owner, readList(exchange.query), origin))
          case 'message-batch':
            return exchange.reply(200, messageBatch(await found(batches, owner, id), origin))
          case 'message-batch-cancel': {
            await found(batches, owner, id)
            return exchange.reply(200, messageBatch((await batches.cancel(owner, API, id)) ?? unknownBatch(), origin))
          }
          case 'message-batch-delete':
            if (!hasEnded((await found(batches, owner, id)).status)) notEnded('Cancel it first, or wait.')
            if (!(await batches.remove(owner, API, id))) unknownBatch()
            return exchange.reply(200, { id, type: 'message_batch_deleted' })
          default: {
            const batch = await found(batches, owner, id)
            if (!hasEnded(batch.status)) notEnded('It has no results yet.')
            const results = batches.results(owner, batch)
            // Files that cannot be read are an error, as long as nothing was sent.
            await filesInTime(once(results, 'readable'))
            exchange.setHeader('content-disposition', 'attachment')
            exchange.setHeader('x-content-type-options', 'nosniff')
            return exchange.reply(200, results, 'application/x-jsonl')
          }
        }
      },

      async onBody(exchange) {
        const { batches, owner } = batchesOf(exchange, host)
        const requests = exchange.body.requests as BatchRequest[]
        refuseRequests(requests, batchLimits(host).max_requests)
        const batch = await batches.create(exchange.get(key), owner, {
          api: API,
          endpoint: ENDPOINT,
          window: '24h',
          metadata: null,
          outputExpiresSeconds: null,
          input: linesOf(requests),
        })
        exchange.reply(200, messageBatch(batch, exchange.origin))
      },
    }
  },
})

async function found(batches: Batches, owner: string, id: string): Promise<Batch> {
  return (ID.test(id) ? await batches.find(owner, API, id) : undefined) ?? unknownBatch()
}

function notEnded(remedy: string): never {
  fail('http_400', { problem: `The batch has not ended. ${remedy}` })
}

function refuseRequests(requests: readonly BatchRequest[], limit: number): void {
  const refuse = (problem: string, param: string): never =>
    fail('schema_validation_failed', { problem }, { param, ownParam: true })
  if (requests.length > limit) refuse(`A batch has at most ${limit} requests.`, 'requests')
  const ids = new Set<string>()
  for (const [i, { custom_id }] of requests.entries()) {
    if (ids.has(custom_id)) refuse("'custom_id' must be unique in the batch.", `requests.${i}.custom_id`)
    ids.add(custom_id)
  }
}

/** The requests as lines of a file of a batch. */
async function* linesOf(requests: readonly BatchRequest[]): AsyncGenerator<Buffer> {
  for (const { custom_id, params } of requests)
    yield Buffer.from(`${JSON.stringify({ custom_id, method: 'POST', url: ENDPOINT, body: params })}\n`)
}

async function listOf(batches: Batches, owner: string, query: ListQuery, origin: string): Promise<JsonObject> {
  const { before_id: before, after_id: after, limit } = query
  if (before !== undefined && after !== undefined) {
    const problem = "'before_id' and 'after_id' cannot be combined."
    fail('schema_validation_failed', { problem }, { param: 'before_id', ownParam: true })
  }
  const page = await batches.list(owner, { api: API, before, after, limit })
  const data = page.batches.map(batch => messageBatch(batch, origin))
  return { data, has_more: page.hasMore, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
}
