/**
 * A day of traffic: two gateways on one store, clients that stream, disconnect, fail and tag, and a backend that fails,
 * stalls and counts the requests that it serves. Every request has a name for lookups.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { scriptedBackend } from './backend.ts'
import { testGateway } from './gateway.ts'
import { type HostedAnswer, type HostedRequest, hosted } from './hosted.ts'
import { replyProblems } from './reply-schemas.ts'
import { type Order, type Served, servingBackend } from './served.ts'

export const GATEWAY = '127.0.0.1'
export const API = 'api.test'
/** Dedicated endpoints: Alice may use all, Bob the first, Eve the second. The third has no requests. */
export const ONE = 'acme-1.test'
export const TWO = 'acme-2.test'
const THREE = 'acme-3.test'

/** Cents per million tokens. */
export const PRICE = { input: 10, cached_input: 2, output: 40 }

export const secretOf = (key: string) => `service_secret_of_${key}`

const ACCOUNTS = [
  {
    id: '6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21',
    name: 'team',
    kind: 'serverless',
    models: ['*'],
    members: [
      { user: 'alice@team.test', role: 'owner' },
      { user: 'bob', role: 'member' },
    ],
    keys: [
      { id: 'alice', user: 'alice@team.test', secret: secretOf('alice'), endpoints: [ONE, TWO, THREE] },
      { id: 'bob', user: 'bob', secret: secretOf('bob'), endpoints: [ONE] },
      { id: 'legacy', secret: secretOf('legacy') },
    ].map(key => ({ kind: 'serverless', ...key })),
  },
  {
    id: '0b8f5a52-3f0e-4a63-9d6b-52b2f3f0c111',
    name: 'others',
    kind: 'dedicated',
    models: ['*'],
    members: [{ user: 'eve', role: 'owner' }],
    keys: [{ id: 'eve', user: 'eve', kind: 'dedicated', secret: secretOf('eve'), endpoints: [TWO] }],
  },
]

/** Default: by Alice on the first endpoint. */
interface Visit extends Partial<HostedRequest> {
  readonly order?: Order
  readonly stream?: boolean
}

const order = (input: number, output: number, cached = 0, more: Partial<Order> = {}): Order => ({
  input,
  output,
  cached,
  ...more,
})
const tags = (values: string) => ({ headers: { 'service-request-tag': values } })

const VISITS = {
  plain: { stream: true, order: order(1000, 6, 800), ...tags('batch, nightly') },
  whole: { order: order(200, 3, 50) },
  slow: { stream: true, order: order(300, 4, 0, { wait: 300 }), ...tags('slow') },
  stalled: { stream: true, order: order(5000, 4, 4999, { pause: 1050 }), ...tags('nightly') },
  messages: { path: '/v1/messages', order: order(40, 2, 40) },
  completions: { path: '/v1/completions', order: order(60, 5) },
  broken: { stream: true, order: order(700, 8, 100, { end: 'break' }), ...tags('batch') },
  left: { stream: true, order: order(900, 6, 9, { end: 'hang' }), leaveAt: 'word3' },
  failed: { order: order(10, 1, 0, { end: 'fail' }), ...tags('nightly') },
  notJson: { body: '{"model": "m"', ...tags('nightly') },
  tooLarge: { body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(30_000) }] }) },
  badTag: { body: '{}', ...tags('Nightly') },
  noModel: { body: '{"model":"nobody","messages":[{"role":"user","content":"hi"}]}' },
  bobs: { key: 'bob', order: order(11, 1, 1) },
  otherEndpoint: { host: TWO, order: order(70, 7, 7), ...tags('nightly') },
  otherAccount: { host: TWO, key: 'eve', order: order(80, 8, 8) },
  serverless: { host: GATEWAY, order: order(90, 9, 9), ...tags('Ignored!') },
  serverlessBob: { host: GATEWAY, key: 'bob', stream: true, order: order(13, 2, 3) },
  serverlessLegacy: { host: GATEWAY, key: 'legacy', order: order(17, 3) },
} as const satisfies Readonly<Record<string, Visit>>

export type VisitName = keyof typeof VISITS

/** Requests that were dispatched on the first endpoint and are in the request table. */
export const DISPATCHED = [
  'plain',
  'whole',
  'slow',
  'stalled',
  'messages',
  'completions',
  'broken',
  'left',
  'failed',
  'bobs',
] as const satisfies readonly VisitName[]

/** Requests on the first endpoint with status 400 or more, or whose client disconnected. */
export const IN_ERROR_LOG = [
  'failed',
  'left',
  'notJson',
  'tooLarge',
  'badTag',
  'noModel',
] as const satisfies readonly VisitName[]

/** A request in the list. */
export interface Row extends JsonObject {
  request_id: string
  status_code: number
  ttft_ms: number | null
  total_latency_ms: number
  input_tokens: number
  output_tokens: number
  cache_read_tokens: number
  error_code: string | null
  created_at: string
  request_tags: string[] | null
}

export interface Page {
  readonly requests: readonly Row[]
  readonly has_more: boolean
  readonly cursor: string | null
}

export type UsageReport = Readonly<Record<`total_${string}`, number>> & {
  readonly days: readonly JsonObject[]
  readonly models: readonly JsonObject[]
  readonly members: readonly JsonObject[]
}

export interface Day {
  /** Usage that the backend has served. */
  readonly served: Served
  readonly store: string
  /** The request id for the client. */
  idOf(visit: VisitName): string
  /** A GET on the management API, or as `request` sets. */
  ask(path: string, key?: string, request?: Partial<HostedRequest>): Promise<HostedAnswer>
  /** A report requested by Alice. The reply is validated against its schema. */
  list(endpoint: string, query?: string): Promise<Page>
  rows(endpoint: string, query?: string): Promise<readonly Row[]>
  lookup(visit: VisitName): Promise<Row>
  usage(report: 'me' | 'team', key: string, query?: string): Promise<UsageReport>
  close(): Promise<void>
}

/** Resolves when all records are in the store. Without a URL, the store is a SQLite file. */
export async function liveDay(url: string | undefined): Promise<Day> {
  const dir = mkdtempSync(join(tmpdir(), 'day-'))
  const store = url ?? `sqlite:${join(dir, 'store.db')}`
  const { script, served } = servingBackend()
  const backend = await scriptedBackend(script)
  const start = () =>
    testGateway({
      backends: [backend.url],
      model: { pricing: PRICE },
      more: {
        store,
        hosts: { gateway: [GATEWAY], api: [API] },
        endpoints: [ONE, TWO, THREE].map(host => ({ host, models: ['m'] })),
        accounts: ACCOUNTS,
        body_limit_bytes: 20_000,
        rate_limits_per_minute: { endpoints: 9999, metrics: 9999, requests: 9999, request: 9999, usage: 9999 },
      },
    })
  const gateways = [await start(), await start()]
  let turn = 0
  const send = (request: HostedRequest) => hosted(gateways[turn++ % gateways.length]!.url, request)

  // The failure is last, so that its effect on the only backend affects no other request.
  const { failed, ...others } = VISITS
  const answers = new Map<string, HostedAnswer>()
  const visit = async (name: string, one: Visit) => answers.set(name, await send(requestOf(one)))
  await Promise.all(Object.entries(others).map(([name, one]) => visit(name, one)))
  await visit('failed', failed)

  const ask: Day['ask'] = (path, key, request) =>
    send({ host: API, path, ...(key === undefined ? null : { key: secretOf(key) }), ...request })
  const checked = async (schema: string, path: string, key: string) => {
    const { status, json, text } = await ask(path, key)
    expect(status, text).equal(200)
    expect(replyProblems(schema, json), text).deep.equal([])
    return json as unknown
  }
  const idOf = (name: VisitName) => String(answers.get(name)!.headers['x-request-id'])
  const list = async (endpoint: string, query = '') =>
    (await checked('request-list', `/v1/endpoints/requests?endpoint=${endpoint}&${query}`, 'alice')) as Page
  const day: Day = {
    served,
    store,
    idOf,
    ask,
    list,
    rows: async (endpoint, query = '') => (await list(endpoint, `limit=200&${query}`)).requests,
    lookup: async name =>
      (await checked('request', `/v1/endpoints/requests/${idOf(name)}?endpoint=${ONE}`, 'alice')) as Row,
    usage: async (report, key, query = 'period=1d') =>
      (await checked(`usage-${report}`, `/v1/usage/${report}?${query}`, key)) as UsageReport,
    async close() {
      for (const gateway of gateways) await gateway.close()
      await backend.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
  try {
    await arrival(day)
  } catch (error) {
    await day.close()
    throw error
  }
  return day
}

function requestOf({ order: wanted, stream = false, key = 'alice', ...own }: Visit): HostedRequest {
  const path = own.path ?? '/v1/chat/completions'
  const content = JSON.stringify(wanted)
  const body = path.endsWith('/v1/completions')
    ? { model: 'm', prompt: content }
    : { model: 'alias', stream, max_tokens: 100, messages: [{ role: 'user', content }] }
  return { host: ONE, path, body: JSON.stringify(body), ...own, key: secretOf(key) }
}

/** Records are in the store about a second after the response. */
async function arrival(day: Day): Promise<void> {
  const arrived = async () =>
    (await day.rows(ONE)).length === DISPATCHED.length &&
    (await day.rows(ONE, 'errors_only=true')).length === IN_ERROR_LOG.length &&
    (await day.rows(TWO)).length === 2 &&
    (await day.usage('team', 'alice')).total_requests === 3
  const deadline = Date.now() + 8000
  while (!(await arrived())) {
    if (Date.now() > deadline) throw new Error('the day did not reach the store')
    await sleep(50)
  }
}
