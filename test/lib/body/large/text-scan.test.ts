import { expect } from 'chai'
import fc from 'fast-check'
import { TextScan } from '../../../../lib/body/large/text-scan.ts'

const table = (entries: Readonly<Record<string, number>>) => {
  const bytes = new Uint8Array(256)
  for (const [characters, value] of Object.entries(entries))
    for (const byte of Buffer.from(characters)) bytes[byte] = value
  return bytes
}
const LENGTHS = table({ '"\\/bfnrt': 2, u: 6 })
const IS_HEX = table({ '0123456789ABCDEFabcdef': 1 })

/** Whole escapes, and what needs none: neither a control character nor a quote. */
const WHOLE = /^(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})|[ !#-[\]-\u00ff])*/

describe('body/large/text-scan', () => {
  const scan = new TextScan(LENGTHS, IS_HEX)
  const behind = (text: string, first = 0) => scan.behind(Buffer.from(text, 'latin1'), first)

  it('stops where a regular expression does, from every byte on', () => {
    const unit = fc.constantFrom(
      'a',
      'é',
      '\x7f',
      '!',
      '[',
      ']',
      '#',
      '\\n',
      '\\\\',
      '\\"',
      '\\u00fF',
      '\\u',
      '\\x',
      '\\',
      '"',
      '\x1f',
      '\0',
    )
    const text = fc.array(fc.oneof({ weight: 30, arbitrary: fc.constantFrom('a', 'bcdefgh', 'é') }, unit), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(text, fc.nat(20), (parts, skipped) => {
        const all = parts.join('')
        const first = Math.min(skipped, all.length)
        expect(behind(all, first)).equal(first + WHOLE.exec(all.slice(first))![0].length)
      }),
      { numRuns: 2000 },
    )
  })

  it('sees each byte that ends a run at each place of sixteen, and behind each of them the end', () => {
    for (let length = 0; length < 40; length++) {
      const plain = 'x'.repeat(length)
      expect(behind(plain)).equal(length)
      for (const end of ['"', '\x00', '\x1f', '\\', '\\u12', '\\u12g4'])
        expect(behind(`${plain}${end}zz`)).equal(length)
      expect(behind(`${plain}\\u12`)).equal(length)
    }
  })

  it('forgets the piece before', () => {
    expect(behind('x'.repeat(1000))).equal(1000)
    expect(behind('x'.repeat(10))).equal(10)
    expect(behind(`${'x'.repeat(9)}\\`)).equal(9)
  })

  it('leaves to its caller what does not fit into its memory, or what a processor cannot do', () => {
    expect(behind('x'.repeat(130_000))).equal(130_000)
    expect(behind('x'.repeat(131_072), 7)).equal(7)
    const without = new TextScan(LENGTHS, IS_HEX, Buffer.from('not valid'))
    expect(without.behind(Buffer.from('abc'), 1)).equal(1)
  })
})
