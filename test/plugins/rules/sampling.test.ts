import { expect } from 'chai'
import { play } from '../../../lib/testing.ts'
import sampling from '../../../plugins/rules/sampling/index.ts'
import { chat, clientSampling, target } from '../../../plugins/slots.ts'
import { chatRequest, model, targetOf, textRequest } from '../../support/canonical.ts'

const asked = {
  temperature: 0.2,
  top_p: 0.9,
  presence_penalty: 1,
  frequency_penalty: 1,
  top_k: 5,
  seed: 7,
}

describe('sampling', () => {
  it('removes only temperature, top_p, n and the penalties on a fixed-sampling model', async () => {
    for (const request of [
      chatRequest({ n: 3, sampling: { ...asked } }),
      textRequest({ n: 3, bestOf: 5, sampling: { ...asked } }),
    ]) {
      const given = [
        [chat, request],
        [target, targetOf(model({}, { sampling: 'fixed' }))],
      ] as const
      const { error, exchange } = await play(sampling, { given })
      expect(error).equal(undefined)
      expect(request.n).equal(1)
      if (request.kind === 'text') expect(request.bestOf).equal(undefined)
      expect(request.sampling).deep.equal({ top_k: 5, seed: 7 })
      expect(exchange.find(clientSampling), 'what records show').deep.equal(asked)
    }
  })

  it('does not change requests to other models', async () => {
    const request = chatRequest({ n: 3, sampling: { ...asked } })
    const { exchange } = await play(sampling, {
      given: [
        [chat, request],
        [target, targetOf(model())],
      ],
    })
    expect(request.n).equal(3)
    expect(request.sampling).deep.equal(asked)
    expect(exchange.find(clientSampling)).deep.equal(asked)
  })
})
