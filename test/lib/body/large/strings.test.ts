import { expect } from 'chai'
import fc from 'fast-check'
import { behindStart, endOfString, endOfText } from '../../../../lib/body/large/strings.ts'
import { anyText } from '../../../support/any-text.ts'
import { refusalOf } from '../../../support/refusal.ts'

const bytesOf = (text: string, shift = 0) =>
  Buffer.concat([Buffer.alloc(shift, '.'), Buffer.from(text)]).subarray(shift)

describe('body/large/strings', () => {
  it('find the end of a string, whatever stands in it and wherever it lies in memory', () => {
    fc.assert(
      fc.property(anyText(200), fc.nat({ max: 7 }), (text, shift) => {
        const json = JSON.stringify(text)
        const bytes = bytesOf(`${json},"next"`, shift)
        const end = Buffer.byteLength(json) - 1
        expect(endOfString(bytes, 1)).equal(end)
        expect(endOfText(bytes, 1)).equal(end)
      }),
      { numRuns: 500 },
    )
  })

  it('see every character that ends a run, wherever it lies', () => {
    for (let shift = 0; shift < 4; shift++) {
      for (let length = 0; length < 13; length++) {
        for (const before of ['a', '\u007f', 'é', '!', '#', '[', ']', ' ']) {
          const plain = before.repeat(length)
          expect(endOfText(bytesOf(`${plain}"`, shift), 0)).equal(Buffer.byteLength(plain))
          expect(endOfText(bytesOf(plain, shift), 0)).equal(Buffer.byteLength(plain))
          for (let code = 0; code < 0x20; code++)
            expect(refusalOf(() => endOfText(bytesOf(`${plain}${String.fromCharCode(code)}zzzz"`, shift), 0))).include({
              code: 'invalid_json_request',
            })
        }
      }
    }
  })

  it('stop before an escape that has not come whole', () => {
    for (const [text, end] of [
      ['ab\\', 2],
      ['ab\\u', 2],
      ['ab\\u12f', 2],
      ['ab\\n', 4],
      ['ab\\u12fF', 8],
    ] as const)
      expect(endOfText(Buffer.from(text), 0), text).equal(end)
    expect(endOfString(Buffer.from('ab'), 0)).equal(2)
    expect(endOfString(Buffer.from('ab\\'), 0)).equal(4)
  })

  it('cut behind whole characters', () => {
    const cut = (text: string, count: number) =>
      Buffer.from(text)
        .subarray(0, behindStart(Buffer.from(text), 0, count, text.length * 3))
        .toString()
    expect(cut('abcdef', 3)).equal('abc')
    expect(cut('ab\\ncdef', 3)).equal('ab\\n')
    expect(cut('ab\\u00e9cd', 3)).equal('ab\\u00e9')
    expect(cut('aé€🎉bcd', 5)).equal('aé€')
    expect(cut('aé€🎉bcd', 7)).equal('aé€🎉')
    expect(cut('a\\ud83c\\udf89bc', 3)).equal('a\\ud83c\\udf89')
  })
})
