import { expect } from 'chai'
import { at, chat, closeSimulators, simulatorWith } from '../support/simulator.ts'

const TOOL = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } }

describe('simulator/tokenize', () => {
  afterEach(closeSimulators)

  it('counts messages like the usage of the same request', async () => {
    for (const engine of ['vllm', 'sglang'] as const) {
      const { post } = await simulatorWith({ engine })
      for (const more of [{}, { tools: [TOOL] }, { chat_template_kwargs: { enable_thinking: true } }]) {
        const body = chat('How many tokens?', more)
        const counted = (await post('/tokenize', body)).json
        const used = (await post('/v1/chat/completions', body)).json
        expect(counted.count, JSON.stringify(more)).equal(at(used, 'usage', 'prompt_tokens'))
        expect(counted.max_model_len).equal(32_768)
        expect(counted.tokens).lengthOf(Number(counted.count))
      }
    }
  })

  it('counts a prompt, with its pieces if requested', async () => {
    const { post } = await simulatorWith()
    const { json } = await post('/tokenize', { model: 'simulated', prompt: 'one two', return_token_strs: true })
    expect(json).include({ count: 2 })
    expect(json.token_strs).deep.equal(['one', ' two'])
  })

  it('has no route below /v1', async () => {
    const { post } = await simulatorWith()
    expect((await post('/v1/tokenize', { prompt: 'x' })).status).equal(404)
    expect((await post('/apply-template', chat('x'))).status).equal(404)
  })

  it('converts ids to text, in the member of each engine', async () => {
    for (const [engine, member] of [
      ['vllm', 'prompt'],
      ['sglang', 'text'],
      ['llama.cpp', 'content'],
    ] as const) {
      const { post } = await simulatorWith({ engine })
      expect((await post('/detokenize', { model: 'simulated', tokens: [1, 2] })).json).deep.equal({
        [member]: ' t1 t2',
      })
      expect((await post('/detokenize', { model: 'simulated' })).status).equal(400)
    }
  })

  it('reads content like llama.cpp, which finds no tokens in a body without content', async () => {
    const { post } = await simulatorWith({ engine: 'llama.cpp' })
    expect((await post('/tokenize', { content: 'one two' })).json.tokens).lengthOf(2)
    expect((await post('/tokenize', { prompt: 'one two' })).json).deep.equal({ tokens: [] })
    const { tokens } = (await post('/tokenize', { content: 'é', with_pieces: true })).json
    expect(at(tokens, 0, 'piece')).equal('é')
    const { prompt } = (await post('/apply-template', chat('one'))).json
    const used = (await post('/v1/chat/completions', chat('one'))).json
    const counted = (await post('/tokenize', { content: prompt ?? '' })).json
    expect(counted.tokens).lengthOf(Number(at(used, 'usage', 'prompt_tokens')))
  })
})
