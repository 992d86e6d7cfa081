import { expect } from 'chai'
import fc from 'fast-check'
import { type Json, parseText } from '../../../../lib/base/json.ts'
import { BodyScanner } from '../../../../lib/body/large/scan.ts'
import { refusalOf } from '../../../support/refusal.ts'

/** What is built from a text that is cut into slices; the text arrives in pieces of `size` bytes. */
function built(text: string | Buffer, slice: number, size = 1000): Json {
  const bytes = Buffer.from(text)
  const scanner = new BodyScanner({ detaches: false, sliceBytes: slice })
  for (let at = 0; at < bytes.length; at += size) scanner.feed(bytes.subarray(at, at + size))
  return scanner.end().value
}

/** undefined: refused. */
function attempt(read: () => Json): { readonly value: Json } | undefined {
  try {
    return { value: read() }
  } catch {
    return undefined
  }
}

const SLICES = [0, 1, 7, 40, 1_000_000]

describe('body/large/builder', () => {
  it('builds what JSON.parse does, wherever the text is cut', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 6 }),
        fc.nat({ max: 60 }),
        fc.integer({ min: 1, max: 50 }),
        (text, slice, size) => {
          const value = parseText(text)
          expect(built(text, slice, size)).deep.equal(value)
          expect(built(JSON.stringify({ a: [value, { b: value }], c: value }, null, 1), slice, size)).deep.equal({
            a: [value, { b: value }],
            c: value,
          })
        },
      ),
      { numRuns: 300 },
    )
  })

  it('finds the open container under any name', () => {
    for (const name of ['a', '', '7', '__proto__', 'constructor', 'é🎉', '\\u0061', 'a\\"b', 'n'.repeat(300)]) {
      const text = `{"x":1,"${name}":{"y":[1,2,{"${name}":[3,4],"z":5},6],"${name}":7},"9":[8,9],"end":true}`
      for (const slice of SLICES) {
        const value = built(text, slice)
        expect(JSON.stringify(value), name).equal(JSON.stringify(parseText(text)))
      }
    }
    expect(({} as { y?: unknown }).y).equal(undefined)
  })

  it('takes the last of members with the same name', () => {
    const text = '{"a":[1,2,3],"b":{"c":1,"c":[2,3]},"a":{"d":[4,5]},"b":{"e":[6,7],"e":null,"":1,"":[8,9]},"a":[0,0]}'
    for (const slice of SLICES) expect(built(text, slice)).deep.equal(parseText(text))
  })

  it('takes and refuses what JSON.parse does', () => {
    const body =
      '{"a":[1,{"b":null,"c":[[],{}]}],"messages":[{"role":"user","n":[1,2]},[true,"x"]],"n":{"m":1,"o":[2]}}'
    const edit = fc.record({
      at: fc.nat({ max: body.length }),
      length: fc.nat({ max: 2 }),
      by: fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', '0', ' ', '\n', '{}', '[]', ',1', '"":1', 'x'),
    })
    fc.assert(
      fc.property(
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        fc.nat({ max: 30 }),
        fc.integer({ min: 1, max: 40 }),
        (edits, slice, size) => {
          let text = body
          for (const { at, length, by } of edits) text = text.slice(0, at) + by + text.slice(at + length)
          expect(
            attempt(() => built(text, slice, size)),
            text,
          ).deep.equal(attempt(() => parseText(text)))
        },
      ),
      { numRuns: Number(process.env.RUNS ?? 3000) },
    )
  })

  it('refuses text before, between and after slices', () => {
    for (const text of [
      '[1,2,]',
      '[1,,2]',
      '[1,2}',
      '{"a":1,"b":2,}',
      '{"a":1,"b":2]',
      '{"a":[1,2] 3,"b":4}',
      '{"a":[1,2]"b":4}',
      '[[1,2]x,3]',
      '{"a":1,"b":2}x',
      '{"a":1,"b":2},',
      '{"a":1,"b":2}{"a":1,"b":2}',
      '{"a":1,"b":2}]',
      'x{"a":1,"b":2}',
      '{"a":1,"b":2',
      '{"a":1,"b":[2,3',
      ',',
      '1,2',
    ])
      for (const slice of SLICES)
        expect(
          refusalOf(() => built(text, slice)),
          text,
        ).include({ code: 'invalid_json_request' })
    for (const slice of SLICES) expect(built(' {"a":[1,2]\n,"b":2}\r\n\t ', slice)).deep.equal({ a: [1, 2], b: 2 })
  })
})
