/** Texts for property tests. */
import fc from 'fast-check'

/**
 * Any code point, including lone surrogates. Like fast-check's unit `binary`, which takes a second to build a table.
 */
const codePoint = fc.nat(0x10ffff).map(code => String.fromCodePoint(code))

export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: codePoint, maxLength })
}
