import { expect } from 'chai'
import fc from 'fast-check'
import { countTokens, firstTokens, splitTokens, textOfIds, tokenId } from '../../simulator/tokens.ts'

describe('simulator/tokens', () => {
  it('splits words after six letters, numbers after three digits and everything else one by one', () => {
    expect(splitTokens('the harbour, 12345!')).deep.equal(['the', ' harbou', 'r', ',', ' 123', '45', '!'])
    expect(splitTokens('café 🌊x')).deep.equal(['caf', 'é', ' 🌊', 'x'])
    expect(splitTokens('a\n\n  b')).deep.equal(['a', '\n\n  ', 'b'])
    expect(splitTokens(' '.repeat(9))).deep.equal([' '.repeat(8), ' '])
    expect(splitTokens('')).deep.equal([])
  })

  it('loses nothing, tears no character and counts what it splits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        const tokens = splitTokens(text)
        expect(tokens.join('')).equal(text)
        expect(countTokens(text)).equal(tokens.length)
        for (const token of tokens) expect(token.isWellFormed()).equal(true)
      }),
    )
  })

  it('cuts a text where a token ends, so that the beginning has the same tokens', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, limit) => {
        expect(splitTokens(firstTokens(text, limit))).deep.equal(splitTokens(text).slice(0, limit))
      }),
    )
  })

  it('gives a piece the same id every time and ids a text of their own', () => {
    expect(tokenId(' gate')).equal(tokenId(' gate')).within(0, 149_999)
    expect(tokenId(' gate')).not.equal(tokenId('gate'))
    expect(textOfIds([1, 22])).equal(' t1 t22')
  })
})
