import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import OpenAI, { toFile } from 'openai'
import { pino } from 'pino'
import type { JsonObject } from '../../lib/base/json.ts'
import { createKey } from '../../lib/store/keys.ts'
import { openStore } from '../../lib/store/store.ts'
import { type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { RawConnection } from '../support/connection.ts'
import { filesIn } from '../support/files.ts'
import { ACCOUNT, eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { hosted } from '../support/hosted.ts'
import { replyProblems } from '../support/reply-schemas.ts'
import { PIXEL } from '../support/rules.ts'

const PNG = Buffer.from(PIXEL, 'base64')
const DATA_URL = `data:image/png;base64,${PIXEL}`
const ENDPOINT = 'acme-1.test'
const OTHER_ACCOUNT = '7a3d2f0b-9e2c-4d68-8b64-1e7c2d2a8f32'
const ZDR_ACCOUNT = '8b4e301c-af3d-4e79-9c75-2f8d3e3b9043'
const NOBODYS = `file-${'0'.repeat(32)}`

/** Keys by name, which is also the secret. */
const KEYS = [
  { id: 'alice', user: 'alice@test', kind: 'serverless', secret: KEY },
  { id: 'alice-2', user: 'alice@test', kind: 'serverless', secret: 'secret-alice-2', endpoints: [ENDPOINT] },
  { id: 'bob', user: 'bob@test', kind: 'serverless', secret: 'secret-bob' },
  { id: 'legacy', kind: 'serverless', secret: 'secret-legacy' },
  { id: 'pass', user: 'alice@test', kind: 'pass', secret: 'secret-pass' },
]

const userAccount = (id: string, secret: string, more: JsonObject = {}): JsonObject => ({
  id,
  name: secret,
  kind: 'serverless',
  models: ['*'],
  members: [{ user: 'alice@test', role: 'owner' }],
  keys: [{ id: secret, user: 'alice@test', kind: 'serverless', secret }],
  ...more,
})

interface Answer {
  readonly status: number
  readonly json: JsonObject
  readonly error: JsonObject
}

describe('files', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway
  let client: OpenAI

  before(async () => {
    backend = await scriptedBackend()
    gateway = await testGateway({
      backends: [backend.url],
      model: { capabilities: { vision: true }, backends: [{ url: backend.url, engine: 'vllm', zdr: true }] },
      more: {
        files: { path: './files', max_bytes: 20_000, max_total_bytes_per_user: 60_000, max_files_per_user: 5 },
        rate_limits_per_minute: { files: 10_000 },
        endpoints: [{ host: ENDPOINT, models: ['m'] }],
        accounts: [
          {
            ...userAccount(ACCOUNT, 'test'),
            members: [
              { user: 'alice@test', role: 'owner' },
              { user: 'bob@test', role: 'member' },
            ],
            keys: KEYS,
          },
          userAccount(OTHER_ACCOUNT, 'secret-namesake'),
          userAccount(ZDR_ACCOUNT, 'secret-zdr', { zdr_required: true }),
        ],
      },
    })
    client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: KEY, maxRetries: 0 })
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
  })

  afterEach(async () => {
    for await (const { id } of client.files.list()) await client.files.delete(id)
    expect(kept()).deep.equal([])
  })

  /** All files on the disk. */
  const kept = () => filesIn(join(gateway.dir, 'files'))

  async function ask(path: string, secret = KEY, init: RequestInit = {}): Promise<Answer> {
    const headers = { authorization: `Bearer ${secret}`, ...(init.headers as Record<string, string>) }
    const response = await fetch(gateway.url + path, { ...init, headers })
    const json = (await response.json()) as JsonObject
    return { status: response.status, json, error: (json.error ?? {}) as JsonObject }
  }

  function form(fields: Readonly<Record<string, string | Blob>> = {}): FormData {
    const body = new FormData()
    for (const [name, value] of Object.entries({ purpose: 'vision', file: new Blob([PNG]), ...fields })) {
      if (typeof value === 'string') body.append(name, value)
      else body.append(name, value, 'a.png')
    }
    return body
  }

  const upload = (body: FormData = form(), secret = KEY, headers: Record<string, string> = {}) =>
    ask('/v1/files', secret, { method: 'POST', body, headers })
  const uploaded = async (secret = KEY) => String((await upload(form(), secret)).json.id)

  const chatBody = (file_id: string): JsonObject => ({
    model: 'm',
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { file_id } }] }],
  })
  const messagesBody = (file_id: string): JsonObject => ({
    model: 'm',
    max_tokens: 5,
    messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id } }] }],
  })
  const say = (path: string, body: JsonObject, secret = KEY, headers: Record<string, string> = {}) =>
    ask(path, secret, { method: 'POST', body: JSON.stringify(body), headers })

  describe('by the openai package', () => {
    it('are created, listed, retrieved and deleted', async () => {
      const before = Math.floor(Date.now() / 1000)
      const file = await client.files.create({ file: await toFile(PNG, 'bild-ü.png'), purpose: 'vision' })
      expect(file).include({ object: 'file', bytes: PNG.length, filename: 'bild-ü.png', purpose: 'vision' })
      expect(file.id).match(/^file-[0-9a-f]{32}$/)
      expect(file.created_at).within(before, Math.floor(Date.now() / 1000))
      expect(file.expires_at).equal(file.created_at + 30 * 86_400)
      expect(replyProblems('file', { ...file })).deep.equal([])
      expect(await client.files.retrieve(file.id)).deep.equal(file)
      const page = await client.files.list()
      expect(page.data).deep.equal([file])
      expect(await client.files.delete(file.id)).deep.equal({ id: file.id, object: 'file', deleted: true })
      expect((await client.files.list()).data).deep.equal([])
      expect(await client.files.retrieve(file.id).catch((error: unknown) => error)).include({
        status: 404,
        code: 'http_404',
      })
    })

    it('page by page', async () => {
      const ids: string[] = []
      for (const purpose of ['vision', 'user_data', 'vision'] as const)
        ids.push((await client.files.create({ file: await toFile(PNG, 'a.png'), purpose })).id)
      const seen: string[] = []
      for await (const { id } of client.files.list({ limit: 1, order: 'asc' })) seen.push(id)
      expect(seen).deep.equal(ids)
      const first = await ask('/v1/files?limit=2')
      expect(first.json).include({ object: 'list', has_more: true, first_id: ids[2], last_id: ids[1] })
      expect(replyProblems('file-list', first.json)).deep.equal([])
      const { data, has_more } = await client.files.list({ after: ids[1]!, purpose: 'vision' })
      expect([data.map(({ id }) => id), has_more]).deep.equal([[ids[0]], false])
    })

    it('are returned as they came, under a type that no browser shows', async () => {
      const file = await client.files.create({ file: await toFile(PNG, 'a.png'), purpose: 'vision' })
      const { headers, status, ...answer } = await client.files.content(file.id).then(async response => ({
        status: response.status,
        headers: response.headers,
        bytes: Buffer.from(await response.arrayBuffer()),
      }))
      expect([status, answer.bytes]).deep.equal([200, PNG])
      expect(headers.get('content-type')).equal('image/png')
      expect(headers.get('content-length')).equal(String(PNG.length))
      expect(headers.get('content-disposition')).equal('attachment')
      expect(headers.get('x-content-type-options')).equal('nosniff')
      expect(headers.get('x-request-id')).match(/^req_/)
      expect((await ask(`/v1/files/${file.id}/content`, 'secret-bob')).error.code).equal('http_404')
      expect((await ask(`/v1/files/${NOBODYS}/content`)).error.code).equal('http_404')
    })

    it('may expire sooner than the default', async () => {
      const expires_after = { anchor: 'created_at', seconds: 3600 } as const
      const file = await client.files.create({ file: await toFile(PNG, 'a.png'), purpose: 'user_data', expires_after })
      expect(file.expires_at).equal(file.created_at + 3600)
    })
  })

  describe('in requests', () => {
    const sentImage = () => {
      const [{ content }] = backend.requests.at(-1)!.body.messages as unknown as readonly [{ content: JsonObject[] }]
      return (content[0]!.image_url as JsonObject).url
    }

    it('reach the backend as data, on chat and on Messages', async () => {
      const id = await uploaded()
      for (const [path, body] of [
        ['/v1/chat/completions', chatBody(id)],
        ['/v1/messages', messagesBody(id)],
      ] as const) {
        const before = backend.requests.length
        expect((await say(path, body)).status, path).equal(200)
        expect(backend.requests.length, path).equal(before + 1)
        expect(sentImage(), path).equal(DATA_URL)
        expect(backend.requests.at(-1)!.bytes.toString(), path).not.contain(id)
      }
    })

    it('are left out of Responses like every image', async () => {
      const input = [{ type: 'message', role: 'user', content: [{ type: 'input_image', file_id: await uploaded() }] }]
      expect((await say('/v1/responses', { model: 'm', input })).status).equal(200)
    })

    it("are those of the key's user alone, and others cannot detect them", async () => {
      const id = await uploaded()
      expect((await say('/v1/chat/completions', chatBody(id), 'secret-alice-2')).status).equal(200)
      const answers = new Set<string>()
      for (const secret of ['secret-bob', 'secret-namesake']) {
        for (const file of [id, NOBODYS, '../../etc/passwd', 'x']) {
          const { status, error } = await say('/v1/chat/completions', chatBody(file), secret)
          expect([status, error.code, error.param]).deep.equal([400, 'model_request_rejected', 'messages.0.content.0'])
          answers.add(String(error.message))
        }
        for (const method of ['GET', 'DELETE'])
          expect((await ask(`/v1/files/${id}`, secret, { method })).error.code).equal('http_404')
        expect((await ask('/v1/files', secret)).json.data).deep.equal([])
      }
      expect([...answers]).deep.equal(['There is no file with this file_id.'])
      const { status, error } = await say('/v1/messages', messagesBody(NOBODYS))
      expect([status, error.code, error.param]).deep.equal([400, 'model_request_rejected', 'messages.0.content.0'])
    })

    it('are found with keys of the store as well, where these belong to a user', async () => {
      const id = await uploaded()
      const store = await openStore(`sqlite:${join(gateway.dir, 'store.db')}`, { log: pino({ level: 'silent' }) })
      const create = (user: string | undefined) =>
        createKey(store, 'service', { account_id: ACCOUNT, user, kind: 'serverless', endpoints: [] }, 1)
      const [own, legacy] = [await create('alice@test'), await create(undefined)]
      await store.close()
      const isKnown = async () => (await ask('/v1/models', legacy.secret)).status === 200
      await eventually(isKnown, 'the gateway has read its keys')
      expect((await say('/v1/chat/completions', chatBody(id), own.secret)).status).equal(200)
      expect((await upload(form(), legacy.secret)).error.code).equal('files_require_user_key')
    })

    it('count in the limit of all images of a request', async () => {
      const large = new Blob([PNG, new Uint8Array(19_000)])
      const id = String((await upload(form({ file: large }))).json.id)
      const parts = [{ type: 'image_url', image_url: { file_id: id } }]
      // A file is read once, for any number of references.
      const twice = { model: 'm', messages: [{ role: 'user', content: [...parts, ...parts] }] }
      expect((await say('/v1/chat/completions', twice)).status).equal(200)
      expect(backend.requests.at(-1)!.bytes.toString().split(PIXEL.slice(0, 40))).length(3)
    })

    it('are refused under zero data retention, by header or by policy, also to count tokens', async () => {
      const id = await uploaded()
      const asked = backend.requests.length
      const calls = [
        ['/v1/chat/completions', chatBody(id)],
        ['/v1/messages', messagesBody(id)],
        ['/v1/messages/count_tokens', messagesBody(id)],
      ] as const
      for (const [path, { max_tokens: _, ...rest }] of calls) {
        const body = path === '/v1/messages' ? messagesBody(id) : rest
        for (const [secret, headers] of [
          [KEY, { 'service-zdr': 'required' }],
          ['secret-zdr', {}],
        ] as const) {
          const { status, error } = await say(path, body, secret, headers)
          expect([status, error.code], path).deep.equal([400, 'file_id_not_allowed_with_zdr'])
        }
      }
      expect(backend.requests.length).equal(asked)
    })

    it('are for serverless keys of a user, not for dedicated hosts', async () => {
      for (const secret of ['secret-legacy', 'secret-pass']) {
        const { status, error } = await say('/v1/chat/completions', chatBody(NOBODYS), secret)
        expect([status, error.code, error.param]).deep.equal([403, 'files_require_user_key', 'messages.0.content.0'])
      }
      const text = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] }
      expect((await say('/v1/chat/completions', text, 'secret-legacy')).status).equal(200)
      const id = await uploaded()
      const body = JSON.stringify(chatBody(id))
      const answer = await hosted(gateway.url, {
        host: ENDPOINT,
        key: 'secret-alice-2',
        path: '/v1/chat/completions',
        body,
      })
      expect(answer.status).equal(400)
      expect((answer.json as JsonObject).error).include({
        code: 'unsupported_parameter',
        param: 'messages.0.content.0',
      })
      expect((await hosted(gateway.url, { host: ENDPOINT, key: 'secret-alice-2', path: '/v1/files' })).status).equal(
        404,
      )
    })
  })

  describe('uploads', () => {
    it('need a serverless key of a user', async () => {
      for (const secret of ['secret-legacy', 'secret-pass']) {
        for (const [path, method] of [
          ['/v1/files', 'GET'],
          [`/v1/files/${NOBODYS}`, 'GET'],
          [`/v1/files/${NOBODYS}`, 'DELETE'],
        ] as const)
          expect((await ask(path, secret, { method })).error.code, `${method} ${path}`).equal('files_require_user_key')
        const { status, error } = await upload(form(), secret)
        expect([status, error.code, error.type]).deep.equal([403, 'files_require_user_key', 'permission_error'])
      }
      expect((await ask('/v1/files', 'nonsense')).error.code).equal('invalid_api_key')
    })

    it('are refused where nothing may be kept', async () => {
      for (const [secret, headers] of [
        [KEY, { 'service-zdr': 'required' }],
        ['secret-zdr', {}],
      ] as const) {
        const { status, error } = await upload(form(), secret, headers)
        expect([status, error.code]).deep.equal([400, 'http_400'])
      }
    })

    const text = new Blob(['just text, not an image'])
    const cases: readonly (readonly [what: string, () => FormData, number, string, string | undefined])[] = [
      ['what is no image', () => form({ file: text }), 422, 'schema_validation_failed', 'file'],
      ['an empty file', () => form({ file: new Blob([]) }), 422, 'schema_validation_failed', 'file'],
      ['text in the place of a file', () => form({ file: 'AAAA' }), 422, 'schema_validation_failed', 'file'],
      ['another purpose', () => form({ purpose: 'fine-tune' }), 422, 'schema_validation_failed', 'purpose'],
      ['an unknown field', () => form({ model: 'm' }), 400, 'unsupported_parameter', 'model'],
      ['a second file', () => form({ image: new Blob([PNG]) }), 422, 'schema_validation_failed', 'file'],
      [
        'a field that is too long',
        () => form({ purpose: 'v'.repeat(300) }),
        422,
        'schema_validation_failed',
        'purpose',
      ],
      [
        'an expiry of less than an hour',
        () => form({ 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': '60' }),
        422,
        'schema_validation_failed',
        'expires_after[seconds]',
      ],
      [
        'an expiry from something else',
        () => form({ 'expires_after[seconds]': '3600' }),
        422,
        'schema_validation_failed',
        'expires_after[anchor]',
      ],
      [
        'a file that is too large',
        () => form({ file: new Blob([PNG, new Uint8Array(20_000)]) }),
        413,
        'request_body_too_large',
        'file',
      ],
      [
        'a body that is too large',
        () => form({ file: new Blob([PNG, new Uint8Array(400_000)]) }),
        413,
        'request_body_too_large',
        undefined,
      ],
    ]
    for (const [what, body, status, code, param] of cases) {
      it(`refuse ${what}, and keep nothing of it`, async () => {
        const answer = await upload(body())
        expect([answer.status, answer.error.code, answer.error.param]).deep.equal([status, code, param])
        expect(kept()).deep.equal([])
      })
    }

    for (const missing of ['file', 'purpose']) {
      it(`need a ${missing}`, async () => {
        const body = form()
        body.delete(missing)
        const { status, error } = await upload(body)
        expect([status, error.code, error.param]).deep.equal([400, 'invalid_json_request', missing])
        expect(kept()).deep.equal([])
      })
    }

    it('take multipart/form-data and nothing else', async () => {
      for (const [type, body] of [
        ['application/json', '{}'],
        ['multipart/form-data', 'x'],
        ['application/x-www-form-urlencoded', 'purpose=vision'],
        ['multipart/form-data; boundary=b', 'no boundary anywhere'],
        [
          'multipart/form-data; boundary=b',
          '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nx',
        ],
        ['multipart/form-data; boundary=b', ''],
      ] as const) {
        const { status, error } = await ask('/v1/files', KEY, {
          method: 'POST',
          body,
          headers: { 'content-type': type },
        })
        expect([status, error.code], `${type} ${body}`).deep.equal([400, 'http_400'])
      }
      expect(kept()).deep.equal([])
    })

    it('are limited in number and in bytes for each user', async () => {
      for (let i = 0; i < 5; i++) expect((await upload()).status).equal(200)
      const sixth = await upload()
      expect([sixth.status, sixth.error.code]).deep.equal([400, 'http_400'])
      expect(sixth.error.message).contain('5 files')
      expect((await upload(form(), 'secret-namesake')).status).equal(200)
      await ask(
        `/v1/files/${String(((await ask('/v1/files', 'secret-namesake')).json.data as JsonObject[])[0]!.id)}`,
        'secret-namesake',
        {
          method: 'DELETE',
        },
      )
      for await (const { id } of client.files.list()) await client.files.delete(id)

      const large = () => form({ file: new Blob([PNG, new Uint8Array(19_000)]) })
      const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await upload(large())).status))
      expect(statuses.filter(status => status === 200).length).within(1, 3)
      const stored = (await client.files.list()).data.reduce((sum, { bytes }) => sum + bytes, 0)
      expect(stored).most(60_000)
    })

    it('are readable by this user of the machine alone', async () => {
      await uploaded()
      expect(kept()).length(2)
      for (const file of kept()) expect(statSync(file).mode & 0o777, file).equal(0o600)
      expect(statSync(join(gateway.dir, 'files')).mode & 0o777).equal(0o700)
    })

    it('leave nothing when the client disconnects in the middle', async () => {
      const connection = new RawConnection(gateway.url)
      const start = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
      connection.write(
        `POST /v1/files HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${KEY}\r\n` +
          `content-type: multipart/form-data; boundary=b\r\ncontent-length: 5000\r\n\r\n${start}${PNG.toString('latin1')}`,
      )
      await eventually(() => kept().length === 1, 'the file is on its way')
      connection.socket.resetAndDestroy()
      await eventually(() => kept().length === 0, 'it is gone')
      await sleep(20)
      expect((await upload()).status).equal(200)
    })

    it('are sent 100 Continue only when their key is known', async () => {
      const head = (secret: string) =>
        `POST /v1/files HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${secret}\r\nexpect: 100-continue\r\n` +
        'content-type: multipart/form-data; boundary=b\r\ncontent-length: 5000\r\n\r\n'
      const stranger = new RawConnection(gateway.url)
      stranger.write(head('nobody'))
      await stranger.until('invalid_api_key')
      expect(stranger.received).not.contain('100 Continue')
      const known = new RawConnection(gateway.url)
      known.write(head(KEY))
      await known.until('HTTP/1.1 100 Continue')
      stranger.socket.destroy()
      known.socket.destroy()
      await eventually(() => kept().length === 0)
    })
  })

  it('leave nothing in records', async () => {
    const id = await uploaded()
    await say('/v1/chat/completions', chatBody(id))
    const kept = JSON.stringify(gateway.records())
    expect(kept).contain('/v1/chat/completions').and.not.contain(id).and.not.contain(PIXEL.slice(0, 40))
  })

  it('are refused by their query with its name', async () => {
    for (const [query, param] of [
      ['limit=0', 'limit'],
      ['order=up', 'order'],
      ['after=', 'after'],
    ] as const) {
      const { status, error } = await ask(`/v1/files?${query}`)
      expect([status, error.code, error.param]).deep.equal([422, 'schema_validation_failed', param])
    }
    expect((await ask('/v1/files?page=2')).error.code).equal('unsupported_parameter')
  })
})
