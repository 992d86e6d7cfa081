/** JSON values as texts that JSON.parse and JSON.stringify would change. For property tests. */
import fc from 'fast-check'

const NUMBERS = ['105.0', '-0', '-0.0', '0.10', '1e400', '1E+5', '5e-324', '2512292042121000001', '9223372036854775807']
const NAMES = ['10', '2', '01', '1.0', 'a', 'A', 'a ', '__proto__', 'constructor', 'toString', 'type']

const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 40 })
const number = fc.oneof(
  fc.constantFrom(...NUMBERS),
  digits.map(text => text.replace(/^0+(?=.)/, '')),
  fc.tuple(fc.constantFrom('', '-'), digits).map(([sign, fraction]) => `${sign}1.${fraction}`),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => JSON.stringify(value)),
)
const string = fc.string({ unit: 'grapheme', maxLength: 8 }).map(text => JSON.stringify(text))
const name = fc.oneof(fc.constantFrom(...NAMES), fc.nat(30).map(String), fc.string({ maxLength: 5 }))

const scalar = fc.oneof(number, string, fc.constantFrom('true', 'false', 'null'))
const deep = fc
  .tuple(fc.nat(22), scalar)
  .map(([depth, text]) => `${'[{"0":'.repeat(depth)}${text}${'}]'.repeat(depth)}`)

/** Text of any JSON value, without whitespace and without names that are written twice. At most 50 levels deep. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    deep,
    fc.array(tie('value'), { maxLength: 4 }).map(items => `[${items.join(',')}]`),
    fc.uniqueArray(fc.tuple(name, tie('value')), { maxLength: 6, selector: ([each]) => each }).map(objectText),
  ),
})).value

function objectText(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`
}
