import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { countTokens } from '../../simulator/tokens.ts'
import { at, chat, joined, useSimulatedChat } from '../support/simulator.ts'

describe('simulator/chat', () => {
  const { message, post } = useSimulatedChat()

  it('replies with exactly the requested number of tokens, equal each time, and quotes the prompt', async () => {
    const first = await message(chat('Hello there'))
    const content = String(at(first.message, 'content'))
    expect(content).match(/^You wrote “Hello there”\. /)
    expect(countTokens(content)).equal(40).equal(at(first.usage, 'completion_tokens'))
    expect(at((await message(chat('Hello there'))).message, 'content')).equal(content)
    expect(at((await message(chat('Hello there', { seed: 2 }))).message, 'content')).not.equal(content)
  })

  it('has equal texts with and without a stream', async () => {
    const body = chat('Hello there')
    const { message: whole } = await message(body)
    const { events } = await post({ ...body, stream: true })
    expect(joined(events, 'content')).equal(at(whole, 'content'))
    expect(events.at(-1)).equal('[DONE]')
    expect(at(events[0], 'choices', 0, 'delta')).deep.equal({ role: 'assistant', content: '' })
  })

  it('has the finish reason length at max_tokens, in the chunk of the last token', async () => {
    const { choice, usage } = await message(chat('Hello', { max_tokens: 5 }))
    expect(choice).include({ finish_reason: 'length', stop_reason: null })
    expect(at(usage, 'completion_tokens')).equal(5)
    const { events } = await post(chat('Hello', { max_tokens: 5, stream: true }))
    const last = at(events.at(-2), 'choices', 0)
    expect(at(last, 'finish_reason')).equal('length')
    expect(at(last, 'delta', 'content')).not.equal('')
  })

  it('has n different choices and the sum of their tokens', async () => {
    const { json } = await message(chat('Hello', { n: 3 }))
    const texts = [0, 1, 2].map(index => at(json, 'choices', index, 'message', 'content'))
    expect(new Set(texts).size).equal(3)
    expect(at(json, 'usage', 'completion_tokens')).equal(120)
    const options = { stream: true, n: 3, stream_options: { include_usage: true, continuous_usage_stats: true } }
    const { events } = await post(chat('Hello', options))
    expect([0, 1, 2].map(index => joined(events, 'content', index))).deep.equal(texts)
    expect(at(events.at(-2), 'usage', 'completion_tokens')).equal(120)
    // Before the end, each chunk counts only its own choice.
    expect(at(events.at(-3), 'usage', 'completion_tokens')).equal(40)
  })

  it('reasons if the request asks for it, in the field of its engine', async () => {
    const on: JsonObject[] = [
      { chat_template_kwargs: { enable_thinking: true } },
      { reasoning_effort: 'low' },
      { reasoning: { enabled: true } },
    ]
    for (const wish of on) {
      const { message: said, usage } = await message(chat('Hello', wish))
      expect(at(said, 'reasoning'), JSON.stringify(wish)).match(/^The question first\./)
      expect(at(usage, 'completion_tokens_details', 'reasoning_tokens')).equal(
        countTokens(String(at(said, 'reasoning'))),
      )
    }
    const off: JsonObject[] = [
      {},
      { reasoning_effort: 'none' },
      { reasoning_effort: 'high', chat_template_kwargs: { enable_thinking: false } },
    ]
    for (const wish of off)
      expect(at((await message(chat('Hello', wish))).message, 'reasoning'), JSON.stringify(wish)).equal(null)

    const { events } = await post(chat('Hello', { reasoning_effort: 'low', stream: true }))
    expect(countTokens(joined(events, 'reasoning'))).equal(16)
    const hidden = await message(chat('Hello', { reasoning_effort: 'low', include_reasoning: false }))
    expect(at(hidden.message, 'reasoning')).equal(null)
    expect(at(hidden.usage, 'completion_tokens')).equal(56)
    expect(
      at(
        (await message(chat('Hello', { reasoning_effort: 'high', thinking_token_budget: 4 }))).usage,
        'completion_tokens',
      ),
    ).equal(44)
  })

  it('reports cached tokens, separately per salt', async () => {
    const question = 'water '.repeat(60)
    const cached = async (more: JsonObject = {}) =>
      at((await message(chat(question, more))).usage, 'prompt_tokens_details', 'cached_tokens')
    expect(await cached()).equal(0)
    expect(await cached()).equal(64)
    expect(await cached({ cache_salt: 'tenant' })).equal(0)
    expect(await cached({ cache_salt: 'tenant' })).equal(64)
  })
})
