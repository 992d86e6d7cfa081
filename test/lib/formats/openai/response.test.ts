import { expect } from 'chai'
import { inOrder, toReplyBody } from '../../../../lib/formats/openai/response.ts'
import { chatRequest } from '../../../support/canonical.ts'
import { contextOf, REPLY_ID } from '../../../support/encoders.ts'

describe('toReplyBody', () => {
  const kind = { prefix: 'x-', object: 'some.object' }
  const context = contextOf(chatRequest())

  it('has the members of the reply around its choices, in a fixed order', () => {
    const body = toReplyBody(context, kind, [{ index: 0 }], undefined)
    expect(JSON.stringify(body)).equal(
      `{"id":"x-${REPLY_ID}","object":"some.object","created":1750000000,"model":"model-1","choices":[{"index":0}]}`,
    )
  })

  it('has usage only where the backend reported it', () => {
    const usage = { promptTokens: 1, completionTokens: 2, cachedTokens: null, reasoningTokens: null }
    expect(toReplyBody(context, kind, [], usage).usage).eql({
      prompt_tokens: 1,
      completion_tokens: 2,
      total_tokens: 3,
    })
    expect(toReplyBody(context, kind, [], undefined)).not.property('usage')
  })
})

describe('inOrder', () => {
  it('sorts by index, as numbers', () => {
    const byIndex = new Map([
      [10, 'c'],
      [2, 'b'],
      [0, 'a'],
    ])
    expect(inOrder(byIndex)).eql([
      [0, 'a'],
      [2, 'b'],
      [10, 'c'],
    ])
  })
})
