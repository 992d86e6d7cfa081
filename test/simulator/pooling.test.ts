import { expect } from 'chai'
import { at, closeSimulators, simulatorWith } from '../support/simulator.ts'

const RANK = { model: 'simulated', query: 'one', documents: ['two', 'three four', 'five'] }
const scoresOf = (results: unknown, name: string) => (results as Record<string, number>[]).map(one => one[name]!)

describe('simulator/pooling', () => {
  afterEach(closeSimulators)

  it('returns equal vectors for equal texts, of the requested length, as numbers or bytes', async () => {
    const { post } = await simulatorWith()
    const body = { model: 'simulated', input: ['one two', 'three', 'one two'], dimensions: 5 }
    const plain = await post('/v1/embeddings', body)
    expect((await post('/v1/embeddings', body)).text).equal(plain.text)
    const vectors = [0, 1, 2].map(i => at(plain.json, 'data', i, 'embedding') as number[])
    expect(vectors[0]).length(5).deep.equal(vectors[2])
    expect(vectors[0]).not.deep.equal(vectors[1])
    expect(Math.hypot(...vectors[0]!)).closeTo(1, 1e-6)
    const packed = await post('/v1/embeddings', { ...body, encoding_format: 'base64' })
    const bytes = Buffer.from(String(at(packed.json, 'data', 0, 'embedding')), 'base64')
    expect(bytes.readFloatLE(4)).equal(vectors[0]![1])
    expect(plain.json.usage).deep.equal({ prompt_tokens: 5, total_tokens: 5 })
  })

  it('counts token ids, and refuses inputs that are too long or empty, and other models', async () => {
    const { post } = await simulatorWith({ models: [{ id: 'simulated', max_model_len: 4 }] })
    const embed = (input: unknown, model = 'simulated') => post('/v1/embeddings', { model, input })
    expect((await embed([[1, 2], [3]])).json.usage).deep.equal({ prompt_tokens: 3, total_tokens: 3 })
    expect((await embed([1, 2, 3, 4, 5])).status).equal(400)
    expect((await embed('x', 'other')).status).equal(404)
    for (const input of [[], undefined, [{}]]) expect((await embed(input)).status).equal(400)
  })

  it('refuses an input beyond the physical batch of llama.cpp with a 500', async () => {
    const { post } = await simulatorWith({ engine: 'llama.cpp' })
    const embed = (tokens: number) => post('/v1/embeddings', { input: Array(tokens).fill(1) })
    expect((await embed(512)).status).equal(200)
    const { status, json } = await embed(513)
    expect(status).equal(500)
    expect(json.error).include({ code: 500, type: 'server_error' })
    expect(at(json, 'error', 'message')).match(/^input \(513 tokens\) is too large to process\./)
  })

  it('ranks documents in the shape of each engine', async () => {
    const vllm = await simulatorWith()
    const ranked = (await vllm.post('/v2/rerank', { ...RANK, top_n: 2 })).json
    expect(Object.keys(ranked)).deep.equal(['id', 'model', 'usage', 'results'])
    expect(scoresOf(ranked.results, 'relevance_score')).length(2)
    const all = scoresOf((await vllm.post('/v1/rerank', RANK)).json.results, 'relevance_score')
    expect(all).deep.equal(all.toSorted((a, b) => b - a))
    const sglang = await simulatorWith({ engine: 'sglang' })
    const list = JSON.parse((await sglang.post('/v1/rerank', { ...RANK, return_documents: false })).text)
    expect(scoresOf(list, 'score')).deep.equal(all)
    expect(list[0]).not.have.property('document')
    const llama = await simulatorWith({ engine: 'llama.cpp' })
    const { results } = (await llama.post('/v1/rerank', RANK)).json
    expect(scoresOf(results, 'relevance_score')).deep.equal(all)
    expect((await llama.post('/v1/score', {})).status).equal(404)
  })

  it('scores pairs as vLLM and labels as SGLang', async () => {
    const vllm = await simulatorWith()
    const score = (more: object) => vllm.post('/v1/score', { model: 'simulated', ...more })
    expect((await score({ text_1: 'a', text_2: ['b', 'c'] })).json.data).length(2)
    expect((await score({ text_1: ['a', 'b'], text_2: ['b', 'c'] })).json.data).length(2)
    expect((await score({ text_1: ['a', 'b'], text_2: ['c'] })).status).equal(400)
    const sglang = await simulatorWith({ engine: 'sglang' })
    const labels = { model: 'simulated', query: 'q', items: ['a', 'b'], label_token_ids: [1, 2, 3] }
    const { scores } = (await sglang.post('/v1/score', labels)).json
    expect((scores as number[][]).map(one => one.length)).deep.equal([3, 3])
    expect((await sglang.post('/v1/score', { ...labels, label_token_ids: [] })).status).equal(400)
  })

  it('classifies, on the path of the engine', async () => {
    const vllm = await simulatorWith()
    const body = { model: 'simulated', input: ['good'] }
    expect((await vllm.post('/v1/classify', body)).status).equal(404)
    const { json } = await vllm.post('/classify', body)
    const probs = at(json, 'data', 0, 'probs') as number[]
    expect(probs.reduce((sum, one) => sum + one, 0)).closeTo(1, 1e-9)
    expect((await (await simulatorWith({ engine: 'sglang' })).post('/v1/classify', body)).status).equal(200)
  })
})
