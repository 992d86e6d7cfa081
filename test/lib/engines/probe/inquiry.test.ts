import { expect } from 'chai'
import type { Json } from '../../../../lib/base/json.ts'
import type { BackendConfig } from '../../../../lib/config/config.ts'
import { inquire, serverOf } from '../../../../lib/engines/probe/inquiry.ts'
import { backendConfig } from '../../../support/backend-config.ts'
import { model } from '../../../support/canonical.ts'
import { closeStubs, stubServer } from '../../../support/stub.ts'

const cards = (...ids: string[]): Json => ({ data: ids.map(id => ({ id, owned_by: 'vllm' })) })

async function problemOf(base: string, backend: Partial<BackendConfig> = {}, kind: 'chat' | 'embedding' = 'chat') {
  const config = backendConfig({ url: `${base}/v1`, model: 'nope', ...backend })
  return (await inquire(model({}, { kind }), config, { timeoutMs: 30_000 })).problem
}

describe('engines/probe/inquiry', () => {
  afterEach(closeStubs)

  it('reports a model that the backend does not serve, and lists those that it serves', async () => {
    const base = await stubServer({ 'GET /v1/models': { body: cards('Qwen/Qwen3-32B') } })
    expect(await problemOf(base)).equal("does not serve 'nope'; it serves Qwen/Qwen3-32B")
    expect(await problemOf(base, { model: 'Qwen/Qwen3-32B' })).equal(null)
    const many = await stubServer({
      'GET /v1/models': { body: cards(...Array.from({ length: 12 }, (_, i) => `m${i}`)) },
    })
    expect(await problemOf(many)).match(/m9 and 2 more$/)
  })

  it('accepts a llama-server, which serves its one model under any name', async () => {
    const body = { data: [{ id: '/models/a.gguf', owned_by: 'llamacpp' }] }
    const base = await stubServer({ 'GET /v1/models': { body } })
    expect(await problemOf(base, { engine: 'llama.cpp' })).equal(null)
  })

  it('reports another engine and a smaller window', async () => {
    const window = 8192
    const body = { data: [{ id: 'nope', owned_by: 'sglang', max_model_len: window }] }
    const base = await stubServer({ 'GET /v1/models': { body } })
    expect(await problemOf(base)).equal('runs sglang, but its `engine` is vllm')
    expect(await problemOf(base, { engine: 'sglang' })).equal(null)
    // SGLang is a server with OpenAI's API.
    expect(await problemOf(base, { engine: 'openai' })).equal(null)
    const config = backendConfig({ url: `${base}/v1`, model: 'nope', engine: 'vllm' })
    const limited = (max_model_len: number) =>
      inquire({ ...model(), max_model_len }, config, { timeoutMs: 30_000 }).then(({ problem }) => problem)
    expect(await limited(window)).equal('runs sglang, but its `engine` is vllm')
    expect(await limited(131_072)).equal(
      'runs sglang, but its `engine` is vllm; it has a window of 8192 tokens, but `max_model_len` is 131072',
    )
  })

  it('believes a route that one engine has, and not /version', async () => {
    const unowned = { body: { data: [{ id: 'nope', owned_by: 'me' }] } }
    const other = { 'GET /v1/models': unowned, 'GET /version': { body: { version: '1' } } }
    expect(await problemOf(await stubServer(other), { engine: 'sglang' })).equal(null)
    const sglang = { 'GET /v1/models': unowned, 'GET /model_info': { body: { model_path: '/m' } } }
    expect(await problemOf(await stubServer(sglang))).equal('runs sglang, but its `engine` is vllm')
  })

  it('names what is wrong with the url or the key', async () => {
    const base = await stubServer({ 'GET /v1/models': { status: 401, body: {} } })
    expect(await problemOf(base, { url: base })).equal('answers 404: is /v1 missing from the url?')
    expect(await problemOf(base, { url: `${base}/v2` })).equal(
      'answers 404: is the url that of an OpenAI-compatible server?',
    )
    expect(await problemOf(base)).equal('answers 401: does it need an api_key?')
    expect(await problemOf(base, { api_key: 'wrong' })).equal('answers 401: is its api_key right?')
    // Some servers of embeddings list no models.
    expect(await problemOf(base, { url: `${base}/v2` }, 'embedding')).equal(null)
    expect(await problemOf(await stubServer({ 'GET /v1/models': { status: 500, body: {} } }))).equal(
      'answers 500 at /models',
    )
    expect(await problemOf(await stubServer({ 'GET /v1/models': { body: {} } }))).match(/^lists no models/)
    expect(await problemOf('http://127.0.0.1:1')).match(/^cannot be asked: Nothing listens at/)
  })

  it('reads the clock, the engine and the version', async () => {
    const base = await stubServer({
      'GET /v1/models': { body: cards('nope') },
      'GET /version': { body: { version: '0.11.0' } },
    })
    const config = backendConfig({ url: `${base}/v1`, model: 'nope' })
    const { date } = await inquire(model(), config, { timeoutMs: 30_000 })
    expect(Math.abs(date! - Date.now())).below(60_000)
    expect(await serverOf(config, { timeoutMs: 30_000 })).deep.equal({ engine: 'vllm', version: '0.11.0' })
  })
})
