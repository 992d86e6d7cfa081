import { expect } from 'chai'
import { LazyText, LongTexts } from '../../../lib/body/long-texts.ts'

/** A text whose bytes are between `before` and `after`. */
function lazy(text: string, before = '', after = ''): LazyText {
  const texts = new LongTexts()
  return new LazyText(texts, before + texts.add(Buffer.from(JSON.stringify(text).slice(1, -1))) + after)
}

const WILD = `"\\\n\u0001é€🎉\u2028\ud800${'x'.repeat(100_000)}"`

describe('body/long-texts', () => {
  it('replaces its texts in any string, in their order', () => {
    const texts = new LongTexts()
    const [a, b] = [texts.add(Buffer.from('A')), texts.add(Buffer.from('B'))]
    expect(texts.partsOf(`1${b}2${a}${a}`).map(String)).deep.equal(['1', 'B', '2', 'A', '', 'A', ''])
    expect(texts.partsOf('none')).deep.equal(['none'])
    expect([texts.isIn(a), texts.isIn(`x${a}x`), texts.isIn('x'), texts.count]).deep.equal([true, true, false, 2])
  })

  it('takes nothing for a placeholder that a client may have written', () => {
    const [own, other] = [new LongTexts(), new LongTexts()]
    own.add(Buffer.from('A'))
    const forged = other.add(Buffer.from('B'))
    expect(own.isIn(forged)).equal(false)
    expect(own.partsOf(forged)).deep.equal([forged])
  })

  it('decodes a text once, as a whole or in pieces', () => {
    const text = lazy(WILD, 'before ', ' after')
    const whole = `before ${WILD} after`
    const pieces = [...text.pieces()]
    expect(pieces.join('') === whole).equal(true)
    expect(pieces.length).above(3)
    expect(text.text === whole).equal(true)
    expect([...text.pieces()]).deep.equal([whole])
  })

  it('tells how large a text is, before and after it was decoded', () => {
    const text = lazy('\n'.repeat(1000), 'é')
    expect(text.byteLength).equal(2002)
    expect(text.text.length).equal(1001)
    expect(text.byteLength).equal(1002)
  })

  it('samples a text everywhere, without half characters', () => {
    const sample = lazy('a'.repeat(10_000) + '日'.repeat(10_000)).sample(8, 16)
    expect(sample).match(/^a+日+$/)
    expect(Buffer.byteLength(sample)).within(100, 128)
    expect(lazy('short').sample(8, 16)).equal('short')
  })
})
