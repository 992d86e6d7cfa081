import { BATCH_PURPOSE, type Batches, type NewBatch, queryReader } from '../../../lib/console.ts'
import {
  definePlugin,
  fail,
  filesInTime,
  type JsonObject,
  quoted,
  readSchema,
  shortened,
  words,
} from '../../../lib/plugin.ts'
import { key, zdr } from '../../slots.ts'
import { batchesOf, batchLimits, refuseNewBatch, unknownBatch } from '../access.ts'
import { batchObject } from './batch-object.ts'

/** A query that schemas/queries/batch-list.json accepts, with its defaults. */
interface ListQuery {
  readonly after?: string
  readonly limit: number
}

/** A body that schemas/bodies/batch.json accepts. */
interface Body extends JsonObject {
  input_file_id: string
  endpoint: NewBatch['endpoint']
  completion_window: string
  metadata?: Record<string, string> | null
  output_expires_after?: { anchor: string; seconds: number } | null
}

const API = 'openai'
/** Characters of a value of `metadata`. */
const MAX_VALUE = 512
const ID = /^batch_[0-9a-f]{24}$/

export default definePlugin({
  name: 'batches',
  summary: "Answers OpenAI's Batch API: files of requests that can wait.",
  routes: { route: ['batch-create', 'batch-list', 'batch', 'batch-cancel'] },
  needs: [key],
  wants: [zdr],
  after: ['rate-limit', 'validate'],

  setup(_options, host) {
    const readList = queryReader<ListQuery>(readSchema('queries/batch-list'), 'schema_validation_failed')
    return {
      async onHeaders(exchange) {
        const { batches, owner } = batchesOf(exchange, host)
        const { batch_id: id = '' } = exchange.params
        switch (exchange.route.name) {
          case 'batch-create':
            return refuseNewBatch(exchange, host)
          case 'batch-list':
            return exchange.reply(200, await listOf(batches, owner, readList(exchange.query)))
          case 'batch':
            return exchange.reply(
              200,
              batchObject((await found(id, () => batches.find(owner, API, id))) ?? unknownBatch()),
            )
          default:
            return exchange.reply(
              200,
              batchObject((await found(id, () => batches.cancel(owner, API, id))) ?? unknownBatch()),
            )
        }
      },

      async onBody(exchange) {
        const { batches, owner } = batchesOf(exchange, host)
        const body = exchange.body as Body
        const { completion_window: window, input_file_id: input } = body
        const { windows } = batchLimits(host)
        if (!windows.includes(window)) {
          const problem = `'completion_window' must be ${windows.join(' or ')}.`
          fail('schema_validation_failed', { problem }, { param: 'completion_window', ownParam: true })
        }
        refuseMetadata(body.metadata ?? {})
        const file = await filesInTime(host.files.find(owner, input))
        if (file?.purpose !== BATCH_PURPOSE) {
          const problem = `There is no file with this 'input_file_id' and the purpose '${BATCH_PURPOSE}'.`
          fail('http_404', { problem }, { param: 'input_file_id', ownParam: true })
        }
        const batch = await batches.create(exchange.get(key), owner, {
          api: API,
          endpoint: body.endpoint,
          window,
          metadata: body.metadata ?? null,
          outputExpiresSeconds: body.output_expires_after?.seconds ?? null,
          input,
        })
        exchange.reply(200, batchObject(batch))
      },
    }
  },
})

/** The check of the body reads only the start of long texts. */
function refuseMetadata(metadata: Readonly<Record<string, string>>): void {
  const name = Object.keys(metadata).find(one => metadata[one]!.length > MAX_VALUE)
  if (name === undefined) return
  const problem = words`'metadata.${quoted(name)}' is longer than ${MAX_VALUE} characters.`
  fail('schema_validation_failed', { problem }, { param: `metadata.${shortened(name)}`, ownParam: true })
}

/** undefined for an id that no batch can have. */
async function found<T>(id: string, find: () => Promise<T>): Promise<T | undefined> {
  return ID.test(id) ? find() : undefined
}

async function listOf(batches: Batches, owner: string, query: ListQuery): Promise<JsonObject> {
  const page = await batches.list(owner, { api: API, ...query })
  const data = page.batches.map(batchObject)
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: page.hasMore,
  }
}
