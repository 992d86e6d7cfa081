import { expect } from 'chai'
import { emptySize } from '../../../lib/tokens/prompt-size.ts'
import { TextSampler } from '../../../lib/tokens/text-sampler.ts'

/** Bytes by kind. */
function kindsOf(text: string) {
  const size = emptySize()
  const sampler = new TextSampler()
  sampler.sample(text)
  sampler.addTo(size, Buffer.byteLength(text))
  return Object.fromEntries(Object.entries(size).filter(([, count]) => count > 0))
}

describe('a sampled text', () => {
  it('is small letters and blanks, symbols, and digits with the blank before them', () => {
    expect(kindsOf('some prose')).deep.equal({ letters: 10 })
    expect(kindsOf('The End.')).deep.equal({ letters: 5, symbols: 3 })
    expect(kindsOf('a 1 23')).deep.equal({ letters: 1, digits: 5 })
  })

  it('is mixed where its characters change inside of a word or number', () => {
    expect(kindsOf('camelCase')).deep.equal({ letters: 8, mixed: 1 })
    expect(kindsOf('a3f9')).deep.equal({ letters: 1, mixed: 3 })
    expect(kindsOf('3.25,1')).deep.equal({ digits: 4, mixed: 2 })
    expect(kindsOf('B2C')).deep.equal({ symbols: 1, mixed: 2 })
  })

  it('is wide in other scripts than the Latin one, and rare in those that tokenizers hardly know', () => {
    expect(kindsOf('é')).deep.equal({ wide: 2 })
    expect(kindsOf('Ωж日本한')).deep.equal({ wide: 13 })
    expect(kindsOf('नमსთአ')).deep.equal({ rare: 15 })
    expect(kindsOf('🌁🏤')).deep.equal({ rare: 8 })
    expect(kindsOf('日🌁日')).deep.equal({ wide: 6, rare: 4 })
  })

  it('is prose where nothing of it was sampled', () => {
    const size = emptySize()
    const sampler = new TextSampler()
    sampler.sample('')
    sampler.addTo(size, 100)
    expect(size.letters).equal(100)
  })

  it('is read in samples, whose number a request bounds', () => {
    const size = emptySize()
    const text = 'x1'.repeat(5000)
    const sampler = new TextSampler()
    for (let i = 0; i < 100; i++) sampler.sample(text)
    sampler.addTo(size, text.length)
    expect(size.letters + size.mixed).closeTo(10_000, 1e-6)
    expect(size.mixed).above(9000)
  })
})
