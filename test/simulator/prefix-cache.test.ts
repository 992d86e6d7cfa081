import { expect } from 'chai'
import { PrefixCache } from '../../simulator/prefix-cache.ts'
import { countTokens } from '../../simulator/tokens.ts'

const words = (count: number, word = 'gate') => Array.from({ length: count }, (_, i) => `${word}${i % 10}`).join(' ')

describe('simulator/prefix-cache', () => {
  it('counts tokens like the tokenizer', () => {
    const text = 'Déjà vu, 12345 times!\n\n  🌊'
    expect(new PrefixCache(100).take(text, '').tokens).equal(countTokens(text))
  })

  it('finds complete blocks at the start again, never the last token', () => {
    const cache = new PrefixCache(100)
    const text = words(50) // 100 tokens: six blocks and four tokens
    expect(cache.take(text, '')).deep.equal({ tokens: 100, cached: 0 })
    expect(cache.take(text, '')).deep.equal({ tokens: 100, cached: 96 })
    expect(cache.take(`${text} and more`, '').cached).equal(96)
    expect(cache.take(`other ${text}`, '').cached).equal(0)

    const exact = words(8) // 16 tokens: the only block ends the prompt
    cache.take(exact, '')
    expect(cache.take(exact, '').cached).equal(0)
  })

  it('separates salts', () => {
    const cache = new PrefixCache(100)
    cache.take(words(50), 'one')
    expect(cache.take(words(50), 'two').cached).equal(0)
    expect(cache.take(words(50), 'one').cached).equal(96)
  })

  it('evicts old blocks, and never exceeds its size', () => {
    const cache = new PrefixCache(40)
    cache.take(words(50), '')
    for (let i = 0; i < 100; i++) {
      cache.take(words(50, `w${'abcdefghij'[i % 10]}${'abcdefghij'[Math.floor(i / 10)]}`), '')
      expect(cache.size).at.most(40)
    }
    expect(cache.take(words(50), '').cached).equal(0)
  })

  it('can be switched off', () => {
    const cache = new PrefixCache(0)
    cache.take(words(50), '')
    expect(cache.take(words(50), '').cached).equal(0)
    expect(cache.size).equal(0)
  })
})
