/** Batches in memory, and an HTTP client that talks to the plugins of batches alone. */
import { Readable } from 'node:stream'
import { type Batch, type Batches, hasEnded } from '../../lib/batches/batch.ts'
import type { Config } from '../../lib/config/config.ts'
import { failure } from '../../lib/errors/errors.ts'
import type { Files } from '../../lib/files/files.ts'
import { fileOwner } from '../../lib/files/owner.ts'
import { type JsonObject, type Plugin, ROUTES, type Route } from '../../lib/plugin.ts'
import type { RouteName } from '../../lib/routes/routes.ts'
import { bodyValidator } from '../../lib/schemas/body-validator.ts'
import { type Played, play, testServices } from '../../lib/testing.ts'
import { key, zdr } from '../../plugins/slots.ts'
import { keyOf } from './key.ts'

export const OWNER = fileOwner(keyOf())!
export const INPUT = `file-${'1'.repeat(32)}`

/** A batch of the owner that is being validated, with the given members changed. */
export function batchOf(more: Partial<Batch> = {}): Batch {
  const { api = 'openai' } = more
  return {
    id: `${api === 'openai' ? '' : 'msg'}batch_${'0'.repeat(24)}`,
    api,
    owner: OWNER,
    accountId: 'acme',
    user: 'alice',
    keyId: 'k1',
    endpoint: api === 'openai' ? '/v1/chat/completions' : '/v1/messages',
    window: '24h',
    metadata: null,
    outputExpiresSeconds: null,
    status: 'validating',
    model: null,
    inputFileId: INPUT,
    outputFileId: null,
    errorFileId: null,
    createdAt: 1_750_000_000_999,
    expiresAt: 1_750_086_400_999,
    inProgressAt: null,
    finalizingAt: null,
    completedAt: null,
    failedAt: null,
    expiredAt: null,
    cancellingAt: null,
    cancelledAt: null,
    counts: { total: 0, completed: 0, failed: 0, cancelled: 0, expired: 0 },
    usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 },
    problems: [],
    ...more,
  }
}

export interface MemoryBatches extends Batches {
  /** Newest first. */
  all: Batch[]
  /** Lines of batches of the Messages API. */
  readonly lines: string[]
  /** Results of every batch. */
  resultLines: readonly string[]
  change(id: string, more: Partial<Batch>): Batch
}

/** Batches that nobody runs. */
export function memoryBatches(): MemoryBatches {
  const known: MemoryBatches = {
    all: [],
    lines: [],
    resultLines: [],
    async create({ id: keyId, account, user = '' }, owner, { input, ...batch }) {
      if (account.name === 'full') {
        const headers = { 'retry-after': '60', 'ratelimit-limit': '20', 'ratelimit-remaining': '0' }
        throw failure('batch_limit_exceeded', { problem: 'Too many.' }, { headers, shouldRetry: false })
      }
      if (typeof input !== 'string') for await (const line of input) known.lines.push(Buffer.from(line).toString())
      const number = String(known.all.length + 1).padStart(24, '0')
      const id = `${batch.api === 'openai' ? '' : 'msg'}batch_${number}`
      const inputFileId = typeof input === 'string' ? input : INPUT
      const made = batchOf({ ...batch, id, owner, keyId, accountId: account.id, user, inputFileId })
      known.all.unshift(made)
      return made
    },
    async find(owner, api, id) {
      return known.all.find(batch => batch.owner === owner && batch.api === api && batch.id === id)
    },
    async list(owner, { api, after, before, limit }) {
      const own = known.all.filter(batch => batch.owner === owner && batch.api === api)
      if (before !== undefined) {
        const newer = own.filter(({ id }) => id > before)
        return { batches: newer.slice(-limit), hasMore: newer.length > limit }
      }
      const older = own.filter(({ id }) => after === undefined || id < after)
      return { batches: older.slice(0, limit), hasMore: older.length > limit }
    },
    async cancel(owner, api, id) {
      const batch = await known.find(owner, api, id)
      if (batch === undefined || hasEnded(batch.status)) return batch
      return known.change(id, { status: 'cancelling', cancellingAt: 1_750_000_001_000 })
    },
    async inputRemoved() {},
    async remove(owner, api, id) {
      const batch = await known.find(owner, api, id)
      known.all = known.all.filter(one => one !== batch)
      return batch !== undefined
    },
    results: () => Readable.from(known.resultLines.map(line => `${line}\n`)),
    change(id, more) {
      known.all = known.all.map(batch => (batch.id === id ? { ...batch, ...more } : batch))
      return known.all.find(batch => batch.id === id)!
    },
  }
  return known
}

interface Caller {
  readonly caller?: ReturnType<typeof keyOf>
  readonly zdr?: 'header' | 'policy' | null
  readonly plans?: Config['plans']
}

/** A file store with one file, which is the input of batches unless `purpose` is another one. */
function oneFile(purpose: string): Files {
  const file = { id: INPUT, bytes: 3, type: 'application/jsonl', filename: 'a', purpose, createdAt: 0, expiresAt: 0 }
  return {
    ...testServices().files,
    find: async (owner, id) => (owner === OWNER && id === INPUT ? (file as never) : undefined),
  }
}

/** Plays one request to a plugin of batches, after the check of its body. */
export async function playBatch(
  plugin: Plugin,
  batches: Batches | null,
  route: RouteName,
  scene: Caller & { id?: string; query?: string; body?: JsonObject; purpose?: string } = {},
): Promise<Played> {
  const { caller = keyOf(), id = '', query = '', body, purpose = 'batch', plans } = scene
  const { body: schema } = ROUTES.find(({ name }) => name === route) as Route
  if (schema !== null && body !== undefined) bodyValidator(schema)(body)
  const config = {
    ...testServices().config,
    plans,
    batches: { windows: ['24h', '7d'], max_requests: 3 },
  } as unknown as Config
  return play(plugin, {
    route,
    query,
    params: { batch_id: id },
    headers: { host: 'gateway.test' },
    services: { batches, config, files: oneFile(purpose) },
    given: [
      [key, caller],
      [zdr, scene.zdr ?? null],
    ],
    ...(body === undefined ? null : { body }),
  })
}

/** `fetch` of an SDK whose requests are played. */
export function playedFetch(plugin: Plugin, batches: Batches): typeof fetch {
  return async (input, init) => {
    const url = new URL(String(input))
    const method = init?.method?.toUpperCase() ?? 'GET'
    const segments = url.pathname.split('/')
    const route = (ROUTES as readonly Route[]).find(
      one =>
        one.method === method &&
        one.path.split('/').length === segments.length &&
        one.path.split('/').every((part, i) => part === segments[i] || part.startsWith('{')) &&
        one.feature === 'batches',
    )!
    const id = segments[route.path.split('/').indexOf('{batch_id}')] ?? ''
    const text = typeof init?.body === 'string' ? init.body : undefined
    const { error, reply } = await playBatch(plugin, batches, route.name as RouteName, {
      id,
      query: url.search.slice(1),
      ...(text === undefined ? null : { body: JSON.parse(text) as JsonObject }),
    })
    const headers = { 'content-type': reply?.contentType ?? 'application/json' }
    if (error !== undefined)
      return Response.json(
        { type: 'error', error: { code: error.code, message: error.message } },
        { status: error.status },
      )
    const { status, body } = reply!
    if (!(body instanceof Readable)) return Response.json(body, { status })
    return new Response(Buffer.concat(await body.map(Buffer.from).toArray()), { status, headers })
  }
}
