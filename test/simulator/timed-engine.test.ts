import { expect } from 'chai'
import { faster, H100_8B } from '../../simulator/engine-model.ts'
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
    const body = JSON.stringify({ messages: [{ role: 'user', content }], max_tokens })
    return (await fetch(`${url}/v1/chat/completions`, { method: 'POST', body })).text()
  }

  it('streams as many tokens as asked for, and says how many of the prompt it had cached', async () => {
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

  it('tells the size of its cache, and that it is well', async () => {
    expect(await (await fetch(`${url}/metrics`)).text()).include('block_size="128",num_gpu_blocks="100"')
    expect((await fetch(`${url}/health`)).status).equal(200)
    expect((await fetch(`${url}/other`)).status).equal(404)
  })

  it('counts the tokens that it has computed', async () => {
    for (let i = 0; i < 2; i++) await ask('abcd'.repeat(1000))
    expect(await (await fetch(`${url}/computed`)).text()).equal('1104')
  })

  it('sends the first token alone, and the others in events of as many as it was told', async () => {
    const several = createTimedEngine(faster(H100_8B, 100), { eventTokens: 4 })
    try {
      url = `http://127.0.0.1:${await several.listen(0, '127.0.0.1')}`
      const events = (await ask('abcd', 11)).match(/"content":"(word )+"/g)!
      expect(events.map(event => event.match(/word/g)!.length)).deep.equal([1, 4, 4, 2])
    } finally {
      await several.close()
    }
  })

  it('tells of each request when its first token was due, and when there was time to write it', async () => {
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'abcd'.repeat(1000) }], max_tokens: 3 })
    const before = Date.now()
    await (await fetch(`${url}/v1/chat/completions`, { method: 'POST', body, headers: { 'x-request-id': 'a' } })).text()
    const [request, ...others] = (await (await fetch(`${url}/requests`)).json()) as TimedRequest[]
    expect(others).deep.equal([])
    const { id, submitted, due, written } = request!
    expect(id).equal('a')
    // The clocks of the process and of the system differ a little.
    expect(submitted).within(before - 100, Date.now() + 100)
    // A step that computes 1,000 tokens, at a hundred times the speed.
    expect(due - submitted).within(0.34, 0.5)
    expect(written).least(due)
  })

  it('refuses what is not JSON', async () => {
    expect((await fetch(`${url}/v1/chat/completions`, { method: 'POST', body: '{' })).status).equal(400)
  })
})

describe('blocksOf', () => {
  it('has a key for each whole block, which covers everything before it', () => {
    const [a, b] = ['x'.repeat(1000), `y${'x'.repeat(999)}`].map(text => blocksOf(text, 25))
    expect(a).length(10)
    expect(a!.filter(key => b!.includes(key))).deep.equal([])
    expect(blocksOf('x'.repeat(1050), 25).slice(0, 10)).deep.equal(a)
  })
})
