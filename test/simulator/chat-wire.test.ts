import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { at, CLOCK, chat, useSimulatedChat, WEATHER } from '../support/simulator.ts'

describe('simulator/chat-wire', () => {
  const { message, post } = useSimulatedChat()

  it('writes usage on every chunk only if both options are set, and on a last chunk without choices', async () => {
    const ask = async (stream_options?: JsonObject) =>
      (await post(chat('Hello', { stream: true, max_tokens: 3, ...(stream_options && { stream_options }) }))).events
    const plain = await ask()
    expect(plain.map(event => at(event, 'usage'))).deep.equal(plain.map(() => undefined))
    expect((await ask({ continuous_usage_stats: true })).some(event => at(event, 'usage'))).equal(false)

    const included = await ask({ include_usage: true })
    expect(included.filter(event => at(event, 'usage')).length).equal(1)
    expect(at(included.at(-2), 'choices')).deep.equal([])

    const continuous = await ask({ include_usage: true, continuous_usage_stats: true })
    expect(continuous.slice(0, -1).map(event => at(event, 'usage', 'completion_tokens'))).deep.equal([0, 1, 2, 3, 3])
    expect(at(continuous[1], 'usage')).deep.equal({ prompt_tokens: 15, total_tokens: 16, completion_tokens: 1 })
  })

  it('streams calls in fragments, the name first', async () => {
    const { events } = await post(chat('get_weather get_time', { tools: [CLOCK, WEATHER], stream: true }))
    const fragments = events.flatMap(event => {
      const calls = at(event, 'choices', 0, 'delta', 'tool_calls')
      return Array.isArray(calls) ? calls : []
    })
    const opening = fragments.filter(fragment => at(fragment, 'id') !== undefined)
    expect(
      opening.map(fragment => [
        at(fragment, 'index'),
        at(fragment, 'function', 'name'),
        at(fragment, 'function', 'arguments'),
      ]),
    ).deep.equal([
      [0, 'get_time', ''],
      [1, 'get_weather', ''],
    ])
    const args = fragments
      .filter(fragment => at(fragment, 'index') === 1)
      .map(fragment => at(fragment, 'function', 'arguments'))
    expect(args.length).above(3)
    expect(JSON.parse(args.join('')).city).a('string')
    expect(at(events.at(-2), 'choices', 0, 'finish_reason')).equal('tool_calls')
  })

  it('has log probabilities of every token of the text', async () => {
    const { choice, message: said } = await message(chat('Hello', { logprobs: true, max_tokens: 4 }))
    const content = at(choice, 'logprobs', 'content')
    expect(Array.isArray(content) && content.map(item => at(item, 'token')).join('')).equal(at(said, 'content'))
  })
})
