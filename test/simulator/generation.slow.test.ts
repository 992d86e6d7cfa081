import { expect } from 'chai'
import { eventually } from '../support/gateway.ts'
import { at, chat, closeSimulators, joined, simulatorWith } from '../support/simulator.ts'

const PATH = '/v1/chat/completions'

/** Reads a stream to its end or its failure. */
async function readAll(response: Response): Promise<{ text: string; broken: boolean }> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of response.body!) text += decoder.decode(chunk, { stream: true })
    return { text, broken: false }
  } catch {
    return { text, broken: true }
  }
}

describe('simulator/generation', () => {
  afterEach(closeSimulators)

  it('has the requested rate', async () => {
    const { post } = await simulatorWith({ tokens_per_second: 100, first_token_ms: 100 })
    for (const stream of [true, false]) {
      const started = performance.now()
      await post(PATH, chat('simulate: tokens=21', { stream }))
      expect(performance.now() - started, `stream: ${stream}`).least(290)
    }
  })

  it('does not wait if a directive says so, at any rate', async () => {
    // At the configured rate this would take half a minute.
    const { post } = await simulatorWith({ tokens_per_second: 1, first_token_ms: 10_000 })
    await post(PATH, chat('simulate: tokens=21 tokens_per_second=0 first_token=0', { stream: true }))
  })

  it('writes about one token at a time, unevenly with jitter', async () => {
    const { root } = await simulatorWith({ tokens_per_second: 25, first_token_ms: 0, jitter: 0.8 })
    const response = await fetch(root + PATH, {
      method: 'POST',
      body: JSON.stringify(chat('simulate: tokens=40', { stream: true })),
    })
    const times: number[] = []
    for await (const _ of response.body!) times.push(performance.now())
    const gaps = times.slice(1).map((time, i) => time - times[i]!)
    expect(times.length).above(8)
    expect(Math.max(...gaps) - Math.min(...gaps)).above(5)
  })

  it('sends the head immediately, and pauses at a stall', async () => {
    const { root, simulator } = await simulatorWith({ first_token_ms: 1000 })
    const body = chat('simulate: tokens=4 stall=200 stall_after=2', { stream: true })
    const response = await fetch(root + PATH, { method: 'POST', body: JSON.stringify(body) })
    expect(simulator.stats.completionTokens).equal(0)
    let before = performance.now()
    let longest = 0
    let text = ''
    for await (const chunk of response.body!) {
      const now = performance.now()
      if (text !== '') longest = Math.max(longest, now - before)
      before = now
      text += Buffer.from(chunk).toString()
    }
    expect(longest).at.least(190)
    expect(text).match(/\[DONE\]\n\n$/)
  })

  for (const [directive, broken] of [
    ['break_after', true],
    ['reset_after', true],
    ['end_after', false],
  ] as const) {
    it(`ends a stream by ${directive} after a number of tokens, without a finish`, async () => {
      const { root, simulator } = await simulatorWith()
      const body = chat(`simulate: tokens=20 ${directive}=5`, { stream: true })
      const read = await readAll(await fetch(root + PATH, { method: 'POST', body: JSON.stringify(body) }))
      expect(read.broken).equal(broken)
      if (directive !== 'reset_after') expect(read.text.match(/"content":"[^"]/g)).lengthOf(5)
      expect(read.text).not.match(/\[DONE\]|"finish_reason":"/)
      expect(simulator.stats).include({ cancelled: 0, inFlight: 0 })
    })
  }

  it("sends an error inside a stream, first or later, and then vLLM's [DONE]", async () => {
    const { post } = await simulatorWith()
    const later = await post(PATH, chat('simulate: error_after=3', { stream: true }))
    expect(later.status).equal(200)
    expect(at(later.events.at(-2), 'error', 'code')).equal(500)
    expect(later.events.at(-1)).equal('[DONE]')
    expect(later.events).lengthOf(6)
    const first = await post(PATH, chat('simulate: error_after=0', { stream: true }))
    expect(at(first.events[0], 'error', 'type')).equal('InternalServerError')
  })

  it('breaks JSON replies in the same ways', async () => {
    const { root, post } = await simulatorWith()
    expect((await post(PATH, chat('simulate: error_after=3'))).status).equal(500)
    const ask = async (directive: string) =>
      readAll(await fetch(root + PATH, { method: 'POST', body: JSON.stringify(chat(`simulate: ${directive}`)) }))
    expect((await ask('break_after=3')).broken).equal(true)
    const cut = await ask('end_after=3')
    expect(cut.broken).equal(false)
    expect(() => JSON.parse(cut.text)).throw(SyntaxError)
  })

  it('changes the ending on demand', async () => {
    const { post } = await simulatorWith()
    const stream = { stream: true, stream_options: { include_usage: true } }
    expect(at((await post(PATH, chat('simulate: finish=abort'))).json, 'choices', 0, 'finish_reason')).equal('abort')
    expect((await post(PATH, chat('simulate: done=false', stream))).events.at(-1)).not.equal('[DONE]')
    expect((await post(PATH, chat('simulate: usage=none'))).json).not.property('usage')
    expect((await post(PATH, chat('simulate: usage=null'))).json.usage).equal(null)
    expect((await post(PATH, chat('simulate: usage=none', stream))).events.some(event => at(event, 'usage'))).equal(
      false,
    )
    const empty = await post(PATH, chat('simulate: tokens=0', stream))
    expect(joined(empty.events, 'content')).equal('')
    expect(empty.events.filter(event => at(event, 'choices', 0, 'finish_reason') === 'stop')).lengthOf(1)
  })

  it('stops immediately when the client disconnects, streamed or not', async () => {
    const { root, simulator } = await simulatorWith({ tokens_per_second: 50 })
    for (const stream of [true, false]) {
      const leaving = new AbortController()
      const body = JSON.stringify(chat('simulate: tokens=5000', { stream }))
      const request = fetch(root + PATH, { method: 'POST', body, signal: leaving.signal }).then(readAll)
      await eventually(() => simulator.stats.inFlight === 1, 'a request in flight')
      leaving.abort()
      await request.catch(() => {})
      // All tokens would take a minute and a half.
      await eventually(() => simulator.stats.inFlight === 0, 'the end')
    }
    const { cancelled, completionTokens } = simulator.stats
    expect(cancelled).equal(2)
    await new Promise(resolve => setTimeout(resolve, 60))
    expect(simulator.stats.completionTokens).equal(completionTokens)
  })

  it('waits for a client that does not read', async () => {
    const { root, simulator } = await simulatorWith({ answer_tokens: 30_000 })
    const response = await fetch(root + PATH, { method: 'POST', body: JSON.stringify(chat('Hello', { stream: true })) })
    let before = -1
    await eventually(async () => {
      before = simulator.stats.completionTokens
      await new Promise(resolve => setTimeout(resolve, 100))
      return before > 0 && simulator.stats.completionTokens === before
    }, 'a standstill')
    expect(before).below(29_000)
    expect((await readAll(response)).text).match(/\[DONE\]\n\n$/)
    expect(simulator.stats.completionTokens).equal(30_000)
  })
})
