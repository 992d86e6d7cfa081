import { expect } from 'chai'
import fc from 'fast-check'
import { countTokens, firstTokens, splitTokens, textOfIds, tokenId } from '../../simulator/tokens.ts'

describe('simulator/tokens', () => {
  it('splits words after six letters, numbers after three digits, and other characters singly', () => {
    expect(splitTokens('the harbour, 12345!')).deep.equal(['the', ' harbou', 'r', ',', ' 123', '45', '!'])
    expect(splitTokens('café 🌊x')).deep.equal(['caf', 'é', ' 🌊', 'x'])
    expect(splitTokens('a\n\n  b')).deep.equal(['a', '\n\n  ', 'b'])
    expect(splitTokens(' '.repeat(9))).deep.equal([' '.repeat(8), ' '])
    expect(splitTokens('')).deep.equal([])
  })

  it('loses no character, splits no code point, and counts the tokens', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        const tokens = splitTokens(text)
        expect(tokens.join('')).equal(text)
        expect(countTokens(text)).equal(tokens.length)
        for (const token of tokens) expect(token.isWellFormed()).equal(true)
      }),
    )
  })

  it('truncates a text at the end of a token, so that the start has the same tokens', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, limit) => {
        expect(splitTokens(firstTokens(text, limit))).deep.equal(splitTokens(text).slice(0, limit))
      }),
    )
  })

  it('has one id per piece and one text per id', () => {
    expect(tokenId(' gate')).equal(tokenId(' gate')).within(0, 149_999)
    expect(tokenId(' gate')).not.equal(tokenId('gate'))
    expect(textOfIds([1, 22])).equal(' t1 t22')
  })
})
