import { expect } from 'chai'
import fc from 'fast-check'
import { Unescaper } from '../../../../lib/upstream/routing/unescape.ts'
import { anyText } from '../../../support/any-text.ts'

const into = Buffer.alloc(4096)
const unescaper = new Unescaper(into)

/** What is written of a JSON string whose inside is `json`, in pieces that have room. */
function unescaped(json: string, from = 0): string {
  const source = Buffer.from(`${'x'.repeat(from)}${json}"`)
  const pieces: Buffer[] = []
  unescaper.begin()
  for (let at = from; at < source.length - 1; at = unescaper.at) {
    const filled = unescaper.write(source, at, source.length - 1, 0)
    pieces.push(Buffer.from(into.subarray(0, filled)))
  }
  return Buffer.concat(pieces).toString()
}

const inside = (text: string) => JSON.stringify(text).slice(1, -1)

describe('Unescaper', () => {
  it('writes the text that JSON has escaped', () => {
    const text = anyText(30).map(part => part.toWellFormed())
    const plain = fc.nat(1200).map(length => 'plain text '.repeat(110).slice(0, length))
    fc.assert(
      fc.property(
        fc.array(fc.oneof(text, plain, fc.constantFrom('\n', '"', '\\')), { maxLength: 6 }),
        fc.nat(8),
        (parts, from) => {
          expect(unescaped(inside(parts.join('')), from)).equal(parts.join(''))
        },
      ),
      { numRuns: 50 },
    )
  })

  it('takes every byte next to a backslash for what it is', () => {
    // Bytes that differ from a backslash by one bit, and by one.
    for (const near of ['\u001c', '[', ']', '^', 'X', 'T', 'L', '|', '\u00dc']) {
      for (let i = 0; i < 9; i++) {
        const text = `${near.repeat(i)}\\${near.repeat(9 - i)}\n`
        expect(unescaped(inside(text))).equal(text)
      }
    }
  })

  it('pairs surrogates across escapes, and writes halves as replacements', () => {
    expect(unescaped('\\ud83d\\ude00\\uD83D\\uDE00\\u20ac\\u00E9')).equal('😀😀€é')
    expect(unescaped('\\ude00x')).equal('\ufffdx')
  })

  it('stops where there is no room, and goes on from there', () => {
    for (const text of ['x'.repeat(10_000), '\n'.repeat(10_000), 'some words\t'.repeat(2000), '€'.repeat(5000)])
      expect(unescaped(inside(text))).equal(text)
  })
})
