import { expect } from 'chai'
import type { JsonObject } from '../../../../lib/base/json.ts'
import type { Chunk } from '../../../../lib/canonical/reply.ts'
import { ChoiceCollector, inOrder } from '../../../../lib/formats/openai/response.ts'
import { chatRequest } from '../../../support/canonical.ts'
import { chunkOf, contextOf, REPLY_ID } from '../../../support/encoders.ts'

class Collector extends ChoiceCollector {
  constructor() {
    super(contextOf(chatRequest()), { prefix: 'x-', object: 'some.object' }, () => ({
      add() {},
      result: index => ({ index }),
    }))
  }
}

function collected(chunks: readonly Partial<Chunk>[]): JsonObject {
  const collector = new Collector()
  for (const members of chunks) collector.chunk(chunkOf(members))
  return collector.result()
}

describe('ChoiceCollector', () => {
  it('has the members of the reply around its choices, in a fixed order', () => {
    expect(JSON.stringify(collected([{ text: 'a' }]))).equal(
      `{"id":"x-${REPLY_ID}","object":"some.object","created":1750000000,"model":"model-1","choices":[{"index":0}]}`,
    )
  })

  it('has usage only if the backend reported it', () => {
    const usage = { promptTokens: 1, completionTokens: 2, cachedTokens: null, reasoningTokens: null }
    expect(collected([{ text: 'a' }, { choice: -1, usage }])).deep.include({
      choices: [{ index: 0 }],
      usage: {
        prompt_tokens: 1,
        completion_tokens: 2,
        total_tokens: 3,
      },
    })
    expect(collected([])).not.property('usage')
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
