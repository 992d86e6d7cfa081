import { expect } from 'chai'
import { utf8Buffer, utf8Latin1 } from '../../../lib/base/short-utf8.ts'

const TEXTS = ['', 'Hello', 'é', '\u{1F600} and é', '\uD800', 'x'.repeat(4096), '€'.repeat(4096), '€'.repeat(4097)]

describe('short UTF-8', () => {
  it('is that of the text', () => {
    for (const text of TEXTS) {
      const expected = Buffer.from(text)
      expect(utf8Buffer(text).equals(expected)).equal(true)
      const bytes = utf8Latin1(text)
      expect(bytes).length(expected.length)
      expect((typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes).equals(expected)).equal(true)
    }
  })

  it('is a string up to 4096 characters', () => {
    expect(utf8Latin1('€'.repeat(4096))).a('string')
    expect(utf8Latin1('x'.repeat(4097))).instanceOf(Buffer)
  })

  it('has memory of its own', () => {
    const first = utf8Buffer('x')
    utf8Buffer('yy')
    expect(first.toString()).equal('x')
    expect(first.buffer.byteLength).equal(1)
  })
})
