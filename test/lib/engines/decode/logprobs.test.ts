import { expect } from 'chai'
import { alternativesOf, chatLogprobs, textLogprobs } from '../../../../lib/engines/decode/logprobs.ts'
import { chatRequest, textRequest } from '../../../support/canonical.ts'

describe('backend log probabilities', () => {
  it('have as many alternatives as were requested', () => {
    expect(alternativesOf(chatRequest({ sampling: { logprobs: true, top_logprobs: 3 } }))).equal(3)
    expect(alternativesOf(chatRequest({ sampling: { logprobs: true } }))).equal(0)
    expect(alternativesOf(textRequest({ sampling: { logprobs: 2 } }))).equal(2)
    expect(alternativesOf(textRequest())).equal(0)
  })

  it('are passed on unchanged in an unknown form', () => {
    for (const value of [7, 'x', [], {}, { content: null }]) expect(chatLogprobs(value, 0)).equal(value)
    expect(chatLogprobs({ content: [null, { token: 'a' }] }, 0)).deep.equal({ content: [null, { token: 'a' }] })
    for (const value of [7, {}, { tokens: [] }]) expect(textLogprobs(value, 0, 0)).equal(undefined)
  })

  it('become lists for a text, with offsets in characters that continue the last piece', () => {
    const content = [{ token: 'é', logprob: -1 }, null, { token: '🙂' }]
    expect(textLogprobs({ content }, 1, 4)).deep.equal({
      value: {
        tokens: ['é', '🙂'],
        token_logprobs: [-1, null],
        top_logprobs: [{ é: -1 }, { '🙂': null }],
        text_offset: [4, 5],
      },
      end: 6,
    })
  })
})
