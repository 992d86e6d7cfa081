import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { ROUTES, type Route } from '../../lib/routes/routes.ts'
import { OPERATIONS } from '../../plugins/pages/openapi/operations.ts'
import { type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { batchLine, CHAT, uploadFile } from '../support/batch-client.ts'
import { eventually, type TestGateway, testGateway } from '../support/gateway.ts'
import { type HostedRequest, hosted } from '../support/hosted.ts'
import { replyProblems } from '../support/reply-schemas.ts'
import { servingBackend } from '../support/served.ts'
import { closeSimulators, simulatorWith } from '../support/simulator.ts'

const KEY = 'service_described_secret'
const ENDPOINT = 'acme-1.test'
const content = JSON.stringify({ input: 9, output: 2, cached: 3 })
const messages = [{ role: 'user', content }]

const UPLOAD = [
  '--b\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nvision\r\n',
  '--b\r\ncontent-disposition: form-data; name="file"; filename="a.gif"\r\n\r\nGIF89a......\r\n--b--\r\n',
].join('')

/** A valid request for each route with JSON replies. */
const QUESTIONS: Readonly<Record<string, Partial<HostedRequest>>> = {
  chat: { body: JSON.stringify({ model: 'm', messages }) },
  completions: { body: JSON.stringify({ model: 'm', prompt: content }) },
  messages: { body: JSON.stringify({ model: 'm', max_tokens: 9, messages }) },
  'count-tokens': { body: JSON.stringify({ model: 'm', messages }) },
  responses: { body: JSON.stringify({ model: 'm', input: content }) },
  'file-upload': { body: UPLOAD, headers: { 'content-type': 'multipart/form-data; boundary=b' } },
  embeddings: { body: JSON.stringify({ model: 'embedding', input: content }) },
  rerank: { body: JSON.stringify({ model: 'rerank', query: 'q', documents: ['d'] }) },
  'rerank-v2': { body: JSON.stringify({ model: 'rerank', query: 'q', documents: ['d'] }) },
  score: { body: JSON.stringify({ model: 'score', text_1: 'a', text_2: 'b' }) },
  classify: { body: JSON.stringify({ model: 'classify', input: content }) },
  transcriptions: {
    body: UPLOAD.replace('purpose', 'model').replace('vision', 'transcription'),
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  },
  translations: {
    body: UPLOAD.replace('purpose', 'model').replace('vision', 'transcription'),
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  },
  'image-generations': { body: JSON.stringify({ model: 'image', prompt: content }) },
  'image-edits': {
    body: UPLOAD.replace('purpose', 'model').replace('vision', 'image').replace('"file"', '"image"'),
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  },
  moderations: { body: JSON.stringify({ model: 'moderation', input: content }) },
  'endpoint-metrics': { path: `/v1/endpoints/metrics?endpoint=${ENDPOINT}` },
  'endpoint-requests': { path: `/v1/endpoints/requests?endpoint=${ENDPOINT}` },
  'message-batch-create': {
    body: JSON.stringify({ requests: [{ custom_id: 'a', params: { model: 'm', max_tokens: 9, messages } }] }),
  },
  'usage-me': { path: '/v1/usage/me?period=1d' },
  'usage-team': { path: '/v1/usage/team?period=1d' },
}

describe('the description of the API', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway

  before(async () => {
    backend = await scriptedBackend(servingBackend().script)
    const simulated = `${(await simulatorWith({ models: [{ id: 'up' }] })).root}/v1`
    const pipes = ['embedding', 'rerank', 'score', 'classify', 'transcription', 'image', 'moderation'].map(kind => ({
      id: kind,
      kind,
      backends: [{ url: simulated, model: 'up', engine: 'vllm' }],
    }))
    const models = [{ id: 'm', backends: [{ url: backend.url, engine: 'vllm' }] }, ...pipes]
    gateway = await testGateway({
      backends: [],
      account: {
        members: [{ user: 'alice@test', role: 'owner' }],
        keys: [{ id: 'k', user: 'alice@test', kind: 'serverless', secret: KEY, endpoints: [ENDPOINT] }],
      },
      more: { models, endpoints: [{ host: ENDPOINT, models: ['m'] }], batches: {} },
    })
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
    await closeSimulators()
  })

  const ask = (request: Partial<HostedRequest> & { path: string }) =>
    hosted(gateway.url, { host: '127.0.0.1', key: KEY, ...request })

  /** Members of paths and bodies that do not exist before the test. */
  async function madeFor(route: string): Promise<Partial<HostedRequest>> {
    const made = async (path: string, body: string) => ((await ask({ path, body })).json as { id: string }).id
    if (route === 'batch-create') {
      const input_file_id = await uploadFile(gateway.url, batchLine('a'), KEY)
      return { body: JSON.stringify({ input_file_id, endpoint: CHAT, completion_window: '24h' }) }
    }
    if (route.startsWith('batch')) {
      const path = `/v1/batches/${await made('/v1/batches', (await madeFor('batch-create')).body!)}`
      return { path: route === 'batch' ? path : `${path}/cancel` }
    }
    const path = `/v1/messages/batches/${await made('/v1/messages/batches', QUESTIONS['message-batch-create']!.body!)}`
    if (route === 'message-batch-delete')
      await eventually(async () => {
        await sleep(200)
        return ((await ask({ path })).json as { processing_status: string }).processing_status === 'ended'
      }, 'the end')
    return { path: route === 'message-batch-cancel' ? `${path}/cancel` : path }
  }
  const needsBatch = (route: Route) =>
    route.feature === 'batches' && (route.path.includes('{') || route.name === 'batch-create')

  for (const route of ROUTES as readonly Route[]) {
    const { name, method, path, access } = route
    const { reply } = OPERATIONS[name as keyof typeof OPERATIONS]
    // The lookup needs a request that is there, others a session: inspection.test.ts, console.test.ts and
    // console-browser.test.ts check those.
    const isElsewhere = path.includes('{') && route.feature !== 'batches'
    if (typeof reply !== 'string' || isElsewhere || access === 'session' || access === 'visitor') continue
    it(`matches the reply of ${method} ${path}`, async () => {
      const made = needsBatch(route) ? await madeFor(name) : QUESTIONS[name]
      const { status, json, text } = await ask({ method, path, ...made })
      expect(status, text).equal(200)
      expect(replyProblems(reply, json), text.slice(0, 500)).deep.equal([])
    })
  }

  it('matches refusals in both envelopes', async () => {
    const chat = await ask({ path: '/v1/chat/completions', body: '{' })
    expect(chat.status).equal(400)
    expect(replyProblems('error', chat.json)).deep.equal([])
    const messagesError = await ask({ path: '/v1/messages', body: '{' })
    expect(messagesError.status).equal(400)
    expect(replyProblems('messages-error', messagesError.json)).deep.equal([])
  })

  it('is served on every host, without a key', async () => {
    const [own, dedicated] = await Promise.all([
      hosted(gateway.url, { host: '127.0.0.1', path: '/openapi.json' }),
      hosted(gateway.url, { host: ENDPOINT, path: '/openapi.json' }),
    ])
    expect(own.status).equal(200)
    expect(dedicated.text).equal(own.text)
  })
})
