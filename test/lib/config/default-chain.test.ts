import { expect } from 'chai'
import { chainWith, defaultChain, offByDefault } from '../../../lib/config/default-chain.ts'

describe('defaultChain', () => {
  it('is the list of config/default-chain.yaml, top to bottom', () => {
    expect(defaultChain().slice(0, 2)).deep.equal(['request-id', 'cors'])
    expect(defaultChain().at(-1)).equal('usage')
    expect(new Set(defaultChain())).property('size').equal(defaultChain().length)
  })

  it('has places for plugins that are off until they are wanted', () => {
    expect(offByDefault()).deep.equal(['guard', 'trace'])
    expect(defaultChain()).not.contain('trace')
    expect(chainWith(new Set())).deep.equal(defaultChain())
    const wanted = chainWith(new Set(['trace']))
    expect(wanted.slice(wanted.indexOf('trace') - 1)).deep.equal(['whole-tool-calls', 'trace', 'units', 'usage'])
  })
})
