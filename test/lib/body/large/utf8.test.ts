import { expect } from 'chai'
import { Utf8Check } from '../../../../lib/body/large/utf8.ts'

const TEXT = Buffer.from('aé€🎉\u0000z')

describe('body/large/utf8', () => {
  it('knows UTF-8, wherever it is cut', () => {
    for (let first = 0; first <= TEXT.length; first++) {
      for (let second = first; second <= TEXT.length; second++) {
        const check = new Utf8Check()
        for (const piece of [TEXT.subarray(0, first), TEXT.subarray(first, second), TEXT.subarray(second)])
          expect(check.feed(piece), `${first} ${second}`).equal(true)
        expect(check.ended).equal(true)
      }
    }
  })

  it('knows what is none, and what was cut off', () => {
    // A continuation alone, an overlong form, a surrogate, a byte that never occurs, a character cut short by another.
    for (const bytes of [[0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xff], [0xe2, 0x82, 0x61]]) {
      const check = new Utf8Check()
      const fine = bytes.map(byte => check.feed(Buffer.of(byte))).every(Boolean)
      expect(fine && check.ended, bytes.join()).equal(false)
    }
    const check = new Utf8Check()
    expect(check.feed(Buffer.of(0x61, 0xf0, 0x9f, 0x8e))).equal(true)
    expect(check.ended).equal(false)
  })
})
