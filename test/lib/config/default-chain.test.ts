import { expect } from 'chai'
import { defaultChain } from '../../../lib/config/default-chain.ts'

describe('defaultChain', () => {
  it('is the list of config/default-chain.yaml, top to bottom', () => {
    expect(defaultChain().slice(0, 2)).deep.equal(['request-id', 'cors'])
    expect(defaultChain().at(-1)).equal('usage')
    expect(new Set(defaultChain())).property('size').equal(defaultChain().length)
  })
})
