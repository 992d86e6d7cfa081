/** Texts for properties. */
import fc from 'fast-check'

/** Any code point, halves of pairs too. The unit `binary` of fast-check is the same, but makes a table of all of them, for a second. */
const codePoint = fc.nat(0x10ffff).map(code => String.fromCodePoint(code))

export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: codePoint, maxLength })
}
