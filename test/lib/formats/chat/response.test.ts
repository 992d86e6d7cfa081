import { expect } from 'chai'
import OpenAI from 'openai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import type { Chunk } from '../../../../lib/canonical/reply.ts'
import { ResponseCollector } from '../../../../lib/formats/chat/response.ts'
import { chatRequest } from '../../../support/canonical.ts'
import { chunkOf, contextOf, replay } from '../../../support/encoders.ts'

function gathered(chunks: readonly Partial<Chunk>[]): JsonObject {
  const response = new ResponseCollector(contextOf(chatRequest()))
  for (const members of chunks) response.chunk(chunkOf(members))
  return response.result()
}

function messageOf(chunks: readonly Partial<Chunk>[]): JsonObject | undefined {
  const [choice] = gathered(chunks).choices as { message: JsonObject }[]
  return choice?.message
}

describe('the reply of chat', () => {
  it('has the shape of a chat.completion', () => {
    expect(gathered([{ start: true, text: 'Hi', finish: 'stop' }])).eql({
      id: 'chatcmpl-0123456789abcdef0123456789abcdef',
      object: 'chat.completion',
      created: 1_750_000_000,
      model: 'model-1',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hi', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
    })
  })

  it('joins pieces', () => {
    const message = messageOf([
      { start: true },
      { reasoning: 'H' },
      { reasoning: 'm' },
      { text: 'a' },
      { text: 'b' },
      { toolCalls: [{ index: 1, id: 'c2', name: 'g', arguments: '' }] },
      { toolCalls: [{ index: 0, id: 'c1', name: 'f', arguments: '{' }] },
      { toolCalls: [{ index: 0, id: undefined, name: undefined, arguments: '}' }] },
      { finish: 'tool_calls' },
    ])
    expect(message).eql({
      role: 'assistant',
      content: 'ab',
      refusal: null,
      reasoning_content: 'Hm',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } },
        { id: 'c2', type: 'function', function: { name: 'g', arguments: '' } },
      ],
    })
  })

  it('does not change the chunks', () => {
    const toolCalls = [{ index: 0, id: 'c1', name: 'f', arguments: '{' }]
    messageOf([{ toolCalls }, { toolCalls: [{ index: 0, id: undefined, name: undefined, arguments: '}' }] }])
    expect(toolCalls[0]?.arguments).equal('{')
  })

  it('has content null with tool calls or a refusal, and empty text if it is empty', () => {
    const toolCalls = [{ index: 0, id: 'c', name: 'f', arguments: '' }]
    expect(messageOf([{ toolCalls, finish: 'tool_calls' }])).include({ content: null })
    expect(messageOf([{ refusal: 'No', finish: 'stop' }])).include({ content: null, refusal: 'No' })
    expect(messageOf([{ reasoning: 'Hm', finish: 'length' }])).include({ content: '' })
  })

  it('has its choices in order, in whatever order they arrive', () => {
    const { choices } = gathered([
      { choice: 1, text: 'b', finish: 'length' },
      { choice: 0, text: 'a', finish: 'stop' },
    ])
    expect((choices as JsonObject[]).map(choice => [choice.index, choice.finish_reason])).eql([
      [0, 'stop'],
      [1, 'length'],
    ])
  })

  it('has the last usage, with details if they are known', () => {
    const usage = { promptTokens: 3, completionTokens: 1, cachedTokens: null, reasoningTokens: null }
    const last = { promptTokens: 3, completionTokens: 4, cachedTokens: 2, reasoningTokens: 0 }
    expect(
      gathered([
        { text: 'a', usage },
        { choice: -1, usage: last },
      ]).usage,
    ).eql({
      prompt_tokens: 3,
      completion_tokens: 4,
      total_tokens: 7,
      prompt_tokens_details: { cached_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 0 },
    })
  })

  it('concatenates log probabilities', () => {
    const piece = (token: string) => ({ text: token, logprobs: { content: [{ token, logprob: -1 }], refusal: null } })
    const [choice] = gathered([piece('a'), piece('b'), { logprobs: null }]).choices as JsonObject[]
    expect(choice?.logprobs).eql({
      content: [
        { token: 'a', logprob: -1 },
        { token: 'b', logprob: -1 },
      ],
      refusal: null,
    })
  })

  it('is understood by the openai package', async () => {
    const body = gathered([{ text: 'Hi', finish: 'stop' }])
    const completion = await replay(body, baseURL =>
      new OpenAI({ baseURL, apiKey: 'k', maxRetries: 0 }).chat.completions.create({
        model: 'm',
        messages: [{ role: 'user', content: 'Hi' }],
      }),
    )
    expect(completion.choices[0]?.message.content).equal('Hi')
  })
})
