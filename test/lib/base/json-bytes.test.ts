import { expect } from 'chai'
import fc from 'fast-check'
import { jsonBytes } from '../../../lib/base/json-bytes.ts'

const TEXTS = [
  '',
  ' upon',
  'a "quoted" one',
  'back\\slash',
  'line\nbreak\u0000',
  '\u007f',
  'é',
  ' – ',
  '\u{1F600}',
  '\uD800',
  '\u2028',
  'x'.repeat(32),
  'x'.repeat(33),
  'é'.repeat(33),
  '€'.repeat(5000),
]

describe('JSON as bytes', () => {
  const expectBytes = (value: unknown) => {
    const bytes = jsonBytes(value)
    expect(Buffer.from(bytes, 'latin1').toString()).equal(JSON.stringify(value))
    expect(bytes).length(Buffer.byteLength(JSON.stringify(value)))
  }

  it('are the UTF-8 of the JSON text of a string', () => {
    for (const text of TEXTS) expectBytes(text)
  })

  it('are that of any value', () => {
    expectBytes({ content: TEXTS, é: [1, null, true] })
  })

  it('are that of any string', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 40 }), expectBytes))
  })
})
