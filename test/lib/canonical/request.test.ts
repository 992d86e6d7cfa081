import { expect } from 'chai'
import { readSampling, SAMPLING_NAMES } from '../../../lib/canonical/request.ts'

describe('readSampling', () => {
  it('keeps zero and false, and omits null and absent members', () => {
    const body = { temperature: 0, logprobs: false, seed: null, top_k: undefined }
    expect(readSampling(body)).eql({ temperature: 0, logprobs: false })
  })

  it('reads no member but those that are named', () => {
    const body = { temperature: 1, top_p: 0.5, seed: 3, stream: true }
    expect(readSampling(body)).eql({ temperature: 1, top_p: 0.5, seed: 3 })
    expect(readSampling(body, ['temperature', 'seed'])).eql({ temperature: 1, seed: 3 })
  })

  it('has one order, whatever the order of the body', () => {
    const body = Object.fromEntries(SAMPLING_NAMES.toReversed().map((name, value) => [name, value]))
    expect(Object.keys(readSampling(body))).eql([...SAMPLING_NAMES])
  })
})
