import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { faster, H100_8B } from '../../simulator/engine-speed.ts'
import { blocksOf, createTimedEngine, type TimedEngine, type TimedRequest } from '../../simulator/timed-engine.ts'

describe('createTimedEngine', () => {
  let engine: TimedEngine
  let url: string

  beforeEach(async () => {
    engine = createTimedEngine({ ...faster(H100_8B, 100), cacheTokens: 12_800 })
    url = `http://127.0.0.1:${await engine.listen(0, '127.0.0.1')}`
  })
  afterEach(() => engine.close())

  const ask = async (content: string, max_tokens = 5) => {
    const body = JSON.stringify({ messages: [{ role: 'user', content }], max_tokens, stream: true })
    return (await fetch(`${url}/v1/chat/completions`, { method: 'POST', body })).text()
  }

  it('streams the requested number of tokens, and reports cached tokens of the prompt', async () => {
    const prompt = 'abcd'.repeat(1000)
    const first = await ask(prompt)
    expect(first.match(/"content":"word "/g)).length(5)
    expect(first)
      .include('"prompt_tokens":1000')
      .include('"cached_tokens":0')
      .match(/data: \[DONE\]\n\n$/)
    expect(await ask(`${prompt}more`)).include('"cached_tokens":896')
    expect(await ask('x'.repeat(4000))).include('"cached_tokens":0')
  })

  it('answers whole, if no stream is requested', async () => {
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'abcd'.repeat(1000) }], max_tokens: 5 })
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body })
    const { choices, usage } = (await response.json()) as { choices: { message: JsonObject }[]; usage: JsonObject }
    expect(choices[0]!.message).deep.equal({ role: 'assistant', content: 'word '.repeat(5) })
    expect(usage).include({ prompt_tokens: 1000, completion_tokens: 5 })
    expect((await (await fetch(`${url}/requests`)).json()) as TimedRequest[]).length(1)
  })

  it('reports the size of its cache and its health', async () => {
    expect(await (await fetch(`${url}/metrics`)).text()).include('block_size="128",num_gpu_blocks="100"')
    expect((await fetch(`${url}/health`)).status).equal(200)
    expect((await fetch(`${url}/other`)).status).equal(404)
  })

  it('counts computed tokens', async () => {
    for (let i = 0; i < 2; i++) await ask('abcd'.repeat(1000))
    expect(await (await fetch(`${url}/computed`)).text()).equal('1104')
  })

  it('sends the first token alone, and the others in events of the configured size', async () => {
    const several = createTimedEngine(faster(H100_8B, 100), { eventTokens: 4 })
    try {
      url = `http://127.0.0.1:${await several.listen(0, '127.0.0.1')}`
      const events = (await ask('abcd', 11)).match(/"content":"(word )+"/g)!
      expect(events.map(event => event.match(/word/g)!.length)).deep.equal([1, 4, 4, 2])
    } finally {
      await several.close()
    }
  })

  it('reports when the first token of each request was due, and when it was written', async () => {
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'abcd'.repeat(1000) }], max_tokens: 3 })
    const before = Date.now()
    await (await fetch(`${url}/v1/chat/completions`, { method: 'POST', body, headers: { 'x-request-id': 'a' } })).text()
    const [request, ...others] = (await (await fetch(`${url}/requests`)).json()) as TimedRequest[]
    expect(others).deep.equal([])
    const { id, submitted, due, written } = request!
    expect(id).equal('a')
    // The clocks of the process and of the system differ slightly.
    expect(submitted).within(before - 100, Date.now() + 100)
    // A step that computes 1,000 tokens, at 100 times the speed.
    expect(due - submitted).within(0.34, 0.5)
    expect(written).least(due)
  })

  it('refuses a body that is not JSON', async () => {
    expect((await fetch(`${url}/v1/chat/completions`, { method: 'POST', body: '{' })).status).equal(400)
  })
})

describe('blocksOf', () => {
  it('has a key per complete block, which covers the text up to its end', () => {
    const [a, b] = ['x'.repeat(1000), `y${'x'.repeat(999)}`].map(text => blocksOf(text, 25))
    expect(a).length(10)
    expect(a!.filter(key => b!.includes(key))).deep.equal([])
    expect(blocksOf('x'.repeat(1050), 25).slice(0, 10)).deep.equal(a)
  })
})
