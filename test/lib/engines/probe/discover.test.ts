import { expect } from 'chai'
import type { Json } from '../../../../lib/base/json.ts'
import { ProbeClient } from '../../../../lib/engines/probe/client.ts'
import {
  baseUrlOf,
  describeCard,
  discoverModels,
  listCards,
  ProbeError,
} from '../../../../lib/engines/probe/discover.ts'
import { closeSimulators, simulatorWith } from '../../../support/simulator.ts'
import { closeStubs, deadAddress, stubServer } from '../../../support/stub.ts'

const CARD = { id: 'm', object: 'model', owned_by: 'somebody' }

async function messageFor(url: string, apiKey?: string, timeoutMs = 30_000): Promise<string> {
  const error = await discoverModels(url, { apiKey, timeoutMs }).catch((reason: unknown) => reason)
  expect(error).instanceOf(ProbeError)
  return (error as ProbeError).message
}

describe('engines/probe/discover', () => {
  afterEach(async () => {
    await closeSimulators()
    await closeStubs()
  })

  it('accepts a URL in every form that an operator may write', () => {
    const forms = [
      'http://h:8000',
      'http://h:8000/',
      'h:8000',
      'h:8000/v1',
      'http://h:8000/v1/',
      'http://h:8000/v1/models',
      'http://h:8000/v1?x=1#y',
    ]
    for (const form of forms) expect(baseUrlOf(form), form).equal('http://h:8000/v1')
    expect(baseUrlOf('https://h/openai')).equal('https://h/openai/v1')
    expect(baseUrlOf('https://h/api/v3/chat/completions')).equal('https://h/api/v3')
    for (const wrong of ['ftp://h', 'http://', 'file:///etc/passwd'])
      expect(() => baseUrlOf(wrong), wrong).throw(ProbeError)
  })

  for (const engine of ['vllm', 'sglang', 'llama.cpp'] as const) {
    it(`finds models, windows and engine of ${engine}, with or without the version prefix`, async () => {
      const { root } = await simulatorWith({ engine, models: [{ id: 'a', max_model_len: 4096 }, { id: 'b' }] })
      const reasoning = engine === 'llama.cpp' ? { reasoning: true } : {}
      const found = {
        url: `${root}/v1`,
        engine,
        models: [
          { id: 'a', max_model_len: 4096, ...reasoning },
          { id: 'b', max_model_len: 32_768, ...reasoning },
        ],
        features: engine === 'llama.cpp' ? { grammar: true, echo: false, suffix: false } : {},
      }
      expect(await discoverModels(root)).deep.equal(found)
      expect(await discoverModels(`${root}/v1/`)).deep.equal(found)
    })
  }

  it('finds out from llama-server whether its model sees and reasons', async () => {
    const modelOf = async (modalities: string[], chat_template: string) => {
      const card = { id: 'm', owned_by: 'llamacpp', architecture: { input_modalities: modalities } }
      const url = await stubServer({
        'GET /v1/models': { body: { object: 'list', data: [card] } },
        'GET /props?model=m': { body: { chat_template } },
      })
      return (await discoverModels(url)).models
    }
    const reasoner = '{% if enable_thinking %}<think>{% endif %}'
    expect(await modelOf(['text', 'image'], reasoner)).deep.equal([{ id: 'm', vision: true, reasoning: true }])
    expect(await modelOf(['text'], '{{ messages }}')).deep.equal([{ id: 'm' }])
  })

  it('asks a llama-server with several models only about those that it has loaded', async () => {
    const card = (id: string, value: string) => ({ id, owned_by: 'llamacpp', status: { value } })
    const template = { body: { chat_template: '{{ enable_thinking }}' } }
    const url = await stubServer({
      'GET /v1/models': { body: { data: [card('a/b', 'loaded'), card('c', 'unloaded')] } },
      'GET /props?model=a%2Fb': template,
      'GET /props?model=c': template,
    })
    expect((await discoverModels(url)).models).deep.equal([
      { id: 'a/b', reasoning: true },
      { id: 'c', loaded: false },
    ])
  })

  it('recognises an engine by its routes if `owned_by` is another one', async () => {
    const models = { body: { object: 'list', data: [CARD] } }
    const engine = async (more: Parameters<typeof stubServer>[0]) =>
      (await discoverModels(await stubServer({ 'GET /v1/models': models, ...more }))).engine
    expect(await engine({ 'GET /version': { body: { version: '0.12.0' } } })).equal('vllm')
    for (const path of ['/model_info', '/get_model_info'])
      expect(await engine({ [`GET ${path}`]: { body: { model_path: 'm' } } })).equal('sglang')
    expect(await engine({ 'GET /props': { body: { default_generation_settings: {} } } })).equal('llama.cpp')
    expect(await engine({ 'GET /version': { body: { other: 1 } } })).equal('openai')
  })

  it('omits the window if the server does not report it', async () => {
    const root = await stubServer({
      'GET /v1/models': { body: { data: [CARD, { ...CARD, id: 'n', max_model_len: 0 }] } },
    })
    expect((await discoverModels(root)).models).deep.equal([{ id: 'm' }, { id: 'n' }])
  })

  it('sends the key', async () => {
    const { root } = await simulatorWith({ api_key: 'secret' })
    expect((await discoverModels(root, { apiKey: 'secret' })).engine).equal('vllm')
    expect(await messageFor(root, 'other')).match(/wants another API key \(status 401\)$/)
    expect(await messageFor(root)).not.match(/secret/)
  })

  it('reports in one sentence why a server cannot be probed', async () => {
    expect(await messageFor(await deadAddress())).match(/^Nothing listens at http:\/\/127\.0\.0\.1:\d+:/)
    expect(await messageFor(await stubServer({}))).match(/does not exist: is this an OpenAI-compatible server\?/)
    expect(await messageFor(await stubServer({ 'GET /v1/models': { body: { data: [] } } }))).match(/lists no models/)
    const silent = await stubServer({ 'GET /v1/models': undefined })
    expect(await messageFor(silent, undefined, 300)).match(/gave no answer within 1 s/)
    const broken = { status: 500, body: { error: { message: 'no memory' } } }
    expect(await messageFor(await stubServer({ 'GET /v1/models': broken }))).match(/status 500: no memory$/)
  })

  it('can be aborted', async () => {
    const root = await stubServer({ 'GET /v1/models': undefined })
    const signal = AbortSignal.timeout(30)
    const error = await discoverModels(root, { signal }).catch((reason: unknown) => reason)
    expect(error).include({ name: 'TimeoutError' })
  })

  it('tells an empty list from what is no list', async () => {
    const cards = async (body: Json) =>
      listCards(new ProbeClient(`${await stubServer({ 'GET /v1/models': { body } })}/v1`))
    expect(await cards({ data: [] })).deep.equal([])
    expect(await cards({ data: [CARD, { name: 'x' }] })).deep.equal([CARD])
    for (const wrong of [{}, { data: {} }, { data: [{ name: 'x' }] }, 'text']) {
      const error = await cards(wrong).catch((reason: unknown) => reason)
      expect(error, JSON.stringify(wrong)).instanceOf(ProbeError)
    }
  })

  it('describes a card without what may differ in each reply', () => {
    const one = describeCard({ ...CARD, created: 1, permission: [{ id: 'x' }] })
    expect(describeCard({ ...CARD, created: 2 })).deep.equal(one)
    expect(describeCard({ ...CARD, max_model_len: 5 })).not.deep.equal(one)
  })
})
