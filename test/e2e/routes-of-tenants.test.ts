/**
 * Every route, called by one account with ids, cursors, hosts and names of another. A route or a parameter that is not
 * in these tables fails the test, so that new ones must be added.
 */
import { expect } from 'chai'
import { ADMIN_ROUTES } from '../../lib/admin/routes.ts'
import type { Json, JsonObject } from '../../lib/base/json.ts'
import { ROUTES, type Route } from '../../lib/routes/routes.ts'
import { readSchema } from '../../lib/schemas/read.ts'
import { OPERATIONS } from '../../plugins/pages/openapi/operations.ts'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { loginLink } from '../support/console.ts'
import { eventually, type TestGateway, testGateway } from '../support/gateway.ts'
import { type HostedAnswer, hosted } from '../support/hosted.ts'
import { operatorKey, signIn, tokenOf } from '../support/operators.ts'

const ALPHA = '6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21'
const BETA = '7a3d2f0b-9e2c-4d68-8b64-1e7c2d2a8f32'

const account = (id: string, name: string): JsonObject => ({
  ...{ id, name: `${name} inc`, kind: 'serverless', models: ['*'], credits_cents: 5000 },
  members: [{ user: `${name}@test`, role: 'owner' }],
  keys: [
    { id: `${name}-key`, user: `${name}@test`, kind: 'serverless', secret: `service_secret_of_${name}` },
    { id: `${name}-host-key`, kind: 'dedicated', secret: `service_host_of_${name}`, endpoints: [`${name}-1.test`] },
    {
      id: `${name}-pass-key`,
      user: `${name}@test`,
      kind: 'pass',
      secret: `service_pass_of_${name}`,
      endpoints: [`${name}-1.test`],
    },
  ],
})

/** Credentials and names of one account. */
interface Tenant {
  readonly name: 'alpha' | 'beta'
  readonly cookie: string
  readonly csrf: string
  /** Names of things of this account, by the path or query parameter for them. */
  readonly known: Readonly<Record<string, readonly string[]>>
}

/** Parameters that name nothing of an account, with a value. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{
    version: '0',
    file: 'style.css',
    code: 'http_404',
    model_id: 'm',
    limit: '5',
    order: 'asc',
    purpose: 'vision',
    period: '1d',
    path: 'start/first-call',
    beta: 'true',
  },
  ...{
    start_at: '2020-01-01T00:00:00Z',
    end_at: '2020-01-02T00:00:00Z',
    include_removed: 'true',
    errors_only: 'false',
  },
  ...{ range_minutes: '60', min_ttft_ms: '0', max_ttft_ms: '99999', min_total_latency_ms: '0' },
  ...{ max_total_latency_ms: '99999', max_cache_hit_pct: '100', min_input_tokens: '0', token: 'x' },
}

/** Parameters of the console's pages, whose queries have no schema. */
const PAGE_QUERIES: Readonly<Record<string, readonly string[]>> = {
  'console-find': ['q'],
  'console-usage': ['account'],
  'console-usage-csv': ['account'],
  'console-requests': ['cursor', 'account'],
  'console-requests-live': ['account'],
  'console-batches': ['account'],
  'console-batch': ['account'],
  'console-alerts': ['subject'],
  'console-keys': ['account'],
  'console-try': ['account'],
}

const messages = [{ role: 'user', content: 'Hello' }]
const image = (file_id: string) => [{ role: 'user', content: [{ type: 'image_url', image_url: { file_id } }] }]

const BATCH = { endpoint: '/v1/chat/completions', completion_window: '24h' }
const MESSAGE_LINE = { custom_id: 'a', params: { model: 'm', max_tokens: 5, messages } }

/** Bodies with names of the other account. Forms are for the console. */
const BODIES: Readonly<Record<string, (other: Tenant, own: Tenant) => readonly string[]>> = {
  chat: other => [
    JSON.stringify({ model: 'm', messages }),
    JSON.stringify({ model: 'm', messages: image(other.known.file_id![0]!) }),
  ],
  completions: () => [JSON.stringify({ model: 'm', prompt: 'Hello' })],
  messages: other => [
    JSON.stringify({ model: 'm', max_tokens: 5, messages }),
    JSON.stringify({
      ...{ model: 'm', max_tokens: 5 },
      messages: [
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'file', file_id: other.known.file_id![0] } }],
        },
      ],
    }),
  ],
  'count-tokens': () => [JSON.stringify({ model: 'm', messages })],
  responses: () => [JSON.stringify({ model: 'm', input: 'Hello', previous_response_id: 'resp_1' })],
  embeddings: () => [JSON.stringify({ model: 'm', input: 'Hello' })],
  rerank: () => [JSON.stringify({ model: 'm', query: 'q', documents: ['d'] })],
  'rerank-v2': () => [JSON.stringify({ model: 'm', query: 'q', documents: ['d'] })],
  score: () => [JSON.stringify({ model: 'm', text_1: 'a', text_2: 'b' })],
  classify: () => [JSON.stringify({ model: 'm', input: 'Hello' })],
  transcriptions: () => ['{}'],
  translations: () => ['{}'],
  speech: () => [JSON.stringify({ model: 'm', input: 'Hello', voice: 'a' })],
  'image-generations': () => [JSON.stringify({ model: 'm', prompt: 'Hello' })],
  'image-edits': () => ['{}'],
  moderations: () => [JSON.stringify({ model: 'm', input: 'Hello' })],
  'file-upload': () => ['{}'],
  'batch-create': other => [JSON.stringify({ input_file_id: other.known.file_id![0], ...BATCH })],
  'batch-cancel': () => ['{}'],
  'message-batch-create': () => [JSON.stringify({ requests: [MESSAGE_LINE] })],
  'message-batch-cancel': () => ['{}'],
  'console-batch-start': (other, { csrf }) => [
    String(new URLSearchParams({ csrf_token: csrf, account: other.known.account![0]! })),
  ],
  'console-batch-cancel': (_other, { csrf }) => [String(new URLSearchParams({ csrf_token: csrf, confirmed: 'yes' }))],
  'console-alert-create': (other, { csrf }) => {
    const alert = { kind: 'budget_used', value: '80', url: 'https://example.com', nonce: 'n' }
    return [String(new URLSearchParams({ csrf_token: csrf, subject: `account:${other.known.account![0]}`, ...alert }))]
  },
  'console-alert-change': (_other, { csrf }) =>
    ['test', 'delete'].map(action => String(new URLSearchParams({ csrf_token: csrf, action, confirmed: 'yes' }))),
  'console-try-chat': () => [JSON.stringify({ model: 'm', messages })],
  'console-key-create': (other, { csrf }) => [
    String(new URLSearchParams({ csrf_token: csrf, account: other.known.account![0]!, nonce: 'n', label: 'mine' })),
  ],
  'console-key-change': (_other, { csrf }) =>
    ['rotate', 'revoke', 'disable', 'change'].map(action =>
      String(
        new URLSearchParams({ csrf_token: csrf, action, confirmed: 'yes', label: 'mine', grace: '0', previous: '' }),
      ),
    ),
  'console-logout': () => ['csrf_token=of-nobody'],
  'console-sign-in': () => ['token=of-nobody'],
}

describe('no route shows anything of another account', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway
  let alpha: Tenant
  let beta: Tenant
  let operator = ''

  before(async () => {
    backend = await scriptedBackend(reply())
    gateway = await testGateway({
      backends: [backend.url],
      more: {
        admin: { host: '127.0.0.1', port: 0, api: true },
        endpoints: ['alpha-1.test', 'beta-1.test'].map(host => ({ host, models: ['m'] })),
        batches: {},
        console: { alerts: true },
        accounts: [account(ALPHA, 'alpha'), account(BETA, 'beta')],
      },
    })
    alpha = await tenantOf('alpha', ALPHA)
    beta = await tenantOf('beta', BETA)
    operator = (await operatorKey(gateway)).secret
  })
  after(async () => {
    await gateway?.close()
    await backend?.close()
  })

  const ask = (path: string, headers: Record<string, string>, body?: string, host = '127.0.0.1', method?: string) =>
    method === 'DELETE'
      ? fetch(gateway.url + path, { method, headers }).then(async response => ({
          ...{ status: response.status, text: await response.text(), json: undefined, cut: false },
          headers: {} as HostedAnswer['headers'],
        }))
      : hosted(gateway.url, { host, path, headers, ...(body === undefined ? null : { body }) })

  /** A batch of each API. */
  async function batchesOf(name: string, headers: { authorization: string }): Promise<readonly [string, string]> {
    const body = { model: 'm', messages }
    const line = JSON.stringify({ custom_id: `${name}-line`, method: 'POST', url: '/v1/chat/completions', body })
    const form = new FormData()
    form.set('purpose', 'batch')
    form.set('file', new Blob([line]), `${name}.jsonl`)
    const input = await fetch(`${gateway.url}/v1/files`, { method: 'POST', headers, body: form })
    const { id: input_file_id } = (await input.json()) as JsonObject
    const created = await Promise.all([
      ask('/v1/batches', headers, JSON.stringify({ input_file_id, ...BATCH })),
      ask('/v1/messages/batches', headers, JSON.stringify({ requests: [MESSAGE_LINE] })),
    ])
    return created.map(({ json, text }) => {
      expect((json as JsonObject).id, text).a('string')
      return String((json as JsonObject).id)
    }) as unknown as readonly [string, string]
  }

  /** Signs in, uploads a file, creates a key, sends requests on both surfaces, and collects their names. */
  async function tenantOf(name: Tenant['name'], id: string): Promise<Tenant> {
    const bearer = (kind: string) => ({ authorization: `Bearer service_${kind}_of_${name}` })
    const chat = JSON.stringify({ model: 'm', messages })
    const ids: string[] = []
    for (let i = 0; i < 3; i++) {
      const sent = { ...bearer('secret'), 'x-request-id': `${name}-own-${i}` }
      ids.push(String((await ask('/v1/chat/completions', sent, chat)).headers['x-request-id']))
      const tagged = { ...bearer('host'), 'service-request-tag': `${name}-tag` }
      const served = await ask('/v1/chat/completions', tagged, chat, `${name}-1.test`)
      expect(served.status, served.text).equal(200)
      ids.push(String(served.headers['x-request-id']))
    }
    const form = new FormData()
    form.set('purpose', 'vision')
    form.set('file', new Blob([GIF], { type: 'image/gif' }), `${name}.gif`)
    const file = await fetch(`${gateway.url}/v1/files`, { method: 'POST', headers: bearer('secret'), body: form })
    const { id: fileId } = (await file.json()) as JsonObject
    const batches = await batchesOf(name, bearer('secret'))
    const link = new URL(await loginLink(gateway, `${name}@test`))
    const opened = await fetch(`${gateway.url}${link.pathname}`, {
      ...{ method: 'POST', body: link.searchParams, redirect: 'manual', headers: { origin: gateway.url } },
    })
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
    const keys = await ask('/console/keys', { cookie })
    const csrf = tokenOf(keys.text)
    const nonce = /name="nonce" value="([^"]+)"/.exec(keys.text)?.[1] ?? 'nonce'
    const made = new URLSearchParams({ csrf_token: csrf, account: id, nonce, label: `${name} label` })
    const created = await ask('/console/keys', pageHeaders(cookie), String(made))
    expect(created.status, created.text).below(400)
    const stored = /\/console\/keys\/(key_\w+)/.exec((await ask('/console/keys', { cookie })).text)?.[1] ?? ''
    expect([csrf === '', stored === '', fileId === undefined]).deep.equal([false, false, false])
    const receiver = { value: '1', url: `https://8.8.8.8/${name}-hook`, nonce }
    const watched = { csrf_token: csrf, subject: `account:${id}`, kind: 'balance_below_cents', ...receiver }
    expect((await ask('/console/alerts', pageHeaders(cookie), String(new URLSearchParams(watched)))).text).contain(
      'whsec_',
    )
    const alert = /\/console\/alerts\/(alert_\w+)/.exec((await ask('/console/alerts', { cookie })).text)?.[1] ?? ''
    expect(alert).not.equal('')
    // The list allows 30 requests per minute.
    await eventually(async () => (await gateway.metric('sluiceway_store_lag_records')) === 0, 'records')
    const list = await ask(`/v1/endpoints/requests?endpoint=${name}-1.test&limit=1`, bearer('pass'))
    const { cursor } = list.json as JsonObject
    expect(cursor, list.text).a('string')
    return {
      ...{ name, cookie, csrf },
      known: {
        file_id: [String(fileId)],
        after: [String(fileId)],
        batch_id: batches,
        before_id: [batches[1]!],
        after_id: [batches[1]!],
        request_id: [...ids, ...ids.map(one => one.replace(/^req_/, ''))],
        key_id: [stored, `${name}-key`],
        alert_id: [alert],
        subject: [`account:${id}`],
        endpoint: [`${name}-1.test`],
        pass_account_id: [id],
        account: [id],
        cursor: [String(cursor)],
        tag: [`${name}-tag`],
        q: [...ids, stored, `${name}-key`, `${name} label`, ...batches, id],
      },
    }
  }

  const pageHeaders = (cookie: string) => ({
    ...{ cookie, origin: gateway.url, host: new URL(gateway.url).host },
    'content-type': 'application/x-www-form-urlencoded',
  })

  /** Every value of a parameter that names something of this account. */
  const valuesOf = (name: string, { known }: Tenant): readonly string[] =>
    known[name] ?? (PLAIN[name] === undefined ? expect.fail(`say what the parameter '${name}' is`) : [PLAIN[name]])

  /** Paths of a route with names of `other`, with one query parameter each. */
  function pathsOf(route: Route, other: Tenant): string[] {
    let paths = [route.path as string]
    for (const [whole, name] of route.path.matchAll(/\{(\w+)\}/g))
      paths = paths.flatMap(path => valuesOf(name!, other).map(value => path.replace(whole, value)))
    const { query } = (OPERATIONS as Readonly<Record<string, { query?: string }>>)[route.name] ?? {}
    const schema = query === undefined ? undefined : readSchema(`queries/${query}`)
    const names = schema === undefined ? (PAGE_QUERIES[route.name] ?? []) : Object.keys(schema.properties as JsonObject)
    const needed = ((schema?.required ?? []) as string[]).map((name): [string, string] => [
      name,
      valuesOf(name, other)[0]!,
    ])
    const queries = names.flatMap(name =>
      valuesOf(name, other).map(
        value => new URLSearchParams([...needed.filter(([one]) => one !== name), [name, value]]),
      ),
    )
    return paths.flatMap(path => [path, ...queries.map(one => `${path}?${one}`)])
  }

  /** Texts that only a reply with data of this account contains, other than those of the request. */
  function leaks(answer: Pick<HostedAnswer, 'text' | 'headers'>, { name, known }: Tenant, sent: string): string[] {
    const all = [name, ...Object.values(known).flat()].filter(one => one !== known.cursor![0])
    const said = `${answer.text}\n${JSON.stringify(answer.headers)}`
    return all.filter(one => {
      // An error may repeat names of the request.
      const echoes = all.filter(other => sent.includes(other))
      return echoes.reduce((text, echo) => text.replaceAll(echo, ''), said).includes(one)
    })
  }

  async function callAs(own: Tenant, other: Tenant, route: Route): Promise<Call[]> {
    const headersOf: Readonly<Record<Route['access'], readonly Record<string, string>[]>> = {
      key: ['secret', 'pass', 'host'].map(kind => ({ authorization: `Bearer service_${kind}_of_${own.name}` })),
      session: [{ cookie: own.cookie }],
      visitor: [{ cookie: own.cookie, 'x-csrf-token': own.csrf, origin: gateway.url }],
      public: [pageHeaders(own.cookie)],
    }
    const bodies = route.method === 'POST' ? BODIES[route.name]?.(other, own) : [undefined]
    if (bodies === undefined) expect.fail(`say what ${route.name} is sent`)
    const hosts = route.surfaces.includes('dedicated')
      ? ['127.0.0.1', `${own.name}-1.test`, `${other.name}-1.test`]
      : ['127.0.0.1']
    const calls: Call[] = []
    for (const path of pathsOf(route, other)) {
      for (const headers of headersOf[route.access]) {
        for (const body of bodies) {
          for (const host of hosts) {
            const live = route.name === 'console-requests-live'
            const one = { ...headers, ...(host === '127.0.0.1' ? null : { host }) }
            const answer = live ? await begun(path, one) : await ask(path, one, body, host, route.method)
            calls.push({ sent: `${route.method} ${path} ${host} ${body ?? ''}`, answer })
          }
        }
      }
    }
    return calls
  }

  /** The beginning of an endless stream of events. */
  async function begun(path: string, headers: Record<string, string>) {
    const stop = new AbortController()
    const response = await fetch(gateway.url + path, { headers, signal: stop.signal })
    const first = await response.body!.getReader().read()
    stop.abort()
    return { status: response.status, headers: {}, text: new TextDecoder().decode(first.value) }
  }

  it('has a case for every operation that is described', () => {
    expect(Object.keys(OPERATIONS).filter(name => !ROUTES.some(route => route.name === name))).deep.equal([])
  })

  for (const route of ROUTES as readonly Route[]) {
    it(`${route.method} ${route.path}`, async () => {
      for (const { sent, answer } of await callAs(beta, alpha, route)) {
        expect(leaks(answer, alpha, sent), `${sent}\n${answer.status} ${answer.text}`).deep.equal([])
        if (/\{(file|request|key|batch)_id\}/.test(route.path)) expect(answer.status, sent).within(400, 422)
      }
    })
  }

  it('but shows each account what is its own, and leaves that as it is', async () => {
    const own = async (name: string) => {
      const route = (ROUTES as readonly Route[]).find(one => one.name === name)!
      return (await callAs(alpha, alpha, route)).map(({ answer }) => answer)
    }
    for (const name of [
      'file',
      'file-list',
      'endpoint-request',
      'console-keys',
      'console-key',
      'console-request',
      'usage-team',
    ])
      expect(
        (await own(name)).some(({ status, text }) => status === 200 && text.includes('alpha')),
        name,
      ).equal(true)
    const page = await ask(`/console/keys/${alpha.known.key_id![0]}`, { cookie: alpha.cookie })
    expect(page.text).contain('alpha label')
  })

  it('reaches nothing of operators from the port of clients', async () => {
    const paths = ['/metrics', '/livez', '/readyz', '/backends', '/explain-route', '/config.schema.json', '/sign-in']
    const pages = ['/requests', '/accounts', `/accounts/${ALPHA}`, '/chain', '/audit', '/live', '/sign-out', '/drain']
    const routes = [
      ...[...paths, ...pages, '/admin/openapi.json', '/admin/'].flatMap(path =>
        ['GET', 'POST'].map(method => ({ method, path })),
      ),
      ...ADMIN_ROUTES.map(({ method, path }) => ({ method, path: path.replace('{id}', ALPHA) })),
    ]
    const session = await signIn(gateway.gateway.adminUrl!, operator)
    expect(session).not.equal('')
    for (const { method, path } of routes) {
      for (const headers of [
        { authorization: `Bearer ${operator}` },
        { authorization: 'Bearer service_secret_of_alpha' },
        { cookie: `${session}; ${alpha.cookie}` },
      ]) {
        const response = await fetch(gateway.url + path, { method, headers, redirect: 'manual' })
        expect(response.status, `${method} ${path}`).within(404, 405)
      }
    }
  })

  it('opens nothing of operators to clients at their own port', async () => {
    const routes = [
      ...ADMIN_ROUTES.map(({ method, path }) => ({ method, path: path.replace('{id}', ALPHA) })),
      ...['/', '/requests', '/accounts', `/accounts/${ALPHA}`, '/chain', '/audit'].map(path => ({
        method: 'GET',
        path,
      })),
    ]
    for (const { method, path } of routes) {
      for (const headers of [{ authorization: 'Bearer service_secret_of_alpha' }, { cookie: alpha.cookie }, {}]) {
        const response = await fetch(gateway.gateway.adminUrl + path, { method, headers, redirect: 'manual' })
        const text = await response.text()
        // The first page has the sign-in form.
        if (path === '/') expect(text).contain('Key of an operator')
        else expect(response.status, `${method} ${path}`).equal(401)
        expect(text).not.contain('alpha')
      }
    }
  })
})

interface Call {
  readonly sent: string
  readonly answer: {
    readonly status: number
    readonly headers: HostedAnswer['headers']
    readonly text: string
    readonly json?: Json | undefined
  }
}

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
