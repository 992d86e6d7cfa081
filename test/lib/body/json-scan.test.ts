import { expect } from 'chai'
import fc from 'fast-check'
import { scanJson, splitPoint } from '../../../lib/body/json-scan.ts'
import { anyText } from '../../support/any-text.ts'
import { refusalOf } from '../../support/refusal.ts'

const scan = (json: string, shortest?: number) => scanJson(Buffer.from(json), shortest)
const textsOf = (json: string, shortest?: number) => {
  const bytes = Buffer.from(json)
  return scanJson(bytes, shortest).texts.map(({ from, to }) => bytes.toString('utf8', from, to))
}
const refused = (json: string) => refusalOf(() => void scan(json))

/** Raw and escaped characters of every kind that a JSON string may contain. */
const WILD = ['a', 'é', '€', '🎉', '\\"', '\\\\', '\\n', '\\/', '\\u00e9', '\\ud83c\\udf89', '\\ud800', '\\udf89', ' ']

describe('body/json-scan', () => {
  it('counts values and measures their depth', () => {
    expect(scan('1')).include({ values: 1, depth: 0 })
    expect(scan('{"a":[1,"x",null],"b":{}}')).include({ depth: 2 })
    expect(scan('{"a":[1,"x",null],"b":{}}').values).within(6, 8)
    expect(scan('["]}[{",{"[":"{"}]').depth, 'brackets in strings').equal(2)
  })

  it('estimates the heap bytes of the parsed values', () => {
    const values = 5000
    expect(scan(JSON.stringify(Array(values).fill(1))).weight / values).within(15, 20)
    expect(scan(JSON.stringify(Array(values).fill({}))).weight / values).within(64, 100)
    expect(scan(JSON.stringify(Array(values).fill('abcd'))).weight / values).within(40, 60)
    const members = Object.fromEntries(Array.from({ length: values }, (_, i) => [`k${i}`, i]))
    expect(scan(JSON.stringify(members)).weight / values).within(60, 120)
    const long = JSON.stringify(['x'.repeat(10_000)])
    expect(scan(long).weight, 'a long text stays bytes').below(200)
    expect(scan(long, Number.POSITIVE_INFINITY).weight).above(10_000)
  })

  it('refuses too many values, and too heavy ones', () => {
    const problem = 'The body holds too many JSON values.'
    for (const json of [`[${'1,'.repeat(1_000_000)}1]`, `[${'{"a":{}},'.repeat(500_000)}1]`])
      expect(refused(json)).include({ code: 'schema_validation_failed', message: problem })
  })

  // JSON.parse of half a million different names takes as long as that of ten million numbers.
  it('refuses too many different names, in one object or in many', () => {
    const problem = 'The body has too many different names.'
    const members = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":1`)
    expect(scan(`{${members(40_000).join(',')}}`).depth).equal(1)
    for (const json of [
      `{${members(60_000).join(',')}}`,
      `[${members(60_000)
        .map(one => `{${one}}`)
        .join(',')}]`,
    ])
      expect(refused(json)).include({ code: 'schema_validation_failed', message: problem })
    expect(scan(`[${'{"type":"text","text":"a"},'.repeat(100_000)}1]`).depth).equal(2)
  })

  it('knows whether doubles and objects keep all values below the top level', () => {
    const exact = ['{"temperature":1.0,"a":[1,-5,0.7,123456789012345,true]}', '{"a":{"b1":"1.0 10"}}', '[{"a":1e+21}]']
    for (const json of exact) expect(scan(json).isExact, json).equal(true)
    const numbers = ['1.0', '-0', '1e5', '1E21', '9223372036854775807', '0.10', '1e400']
    for (const number of numbers) expect(scan(`{"a":[${number}]}`).isExact, number).equal(false)
    for (const json of ['{"a":{"b":1,"10":1}}', '{"a":{"\\u0031" :1}}', '{"2":1}'])
      expect(scan(json).isExact, json).equal(false)
  })

  it('refuses more than a hundred thousand numbers that doubles do not keep', () => {
    expect(scan(`{"a":[${'1.0,'.repeat(90_000)}1]}`).isExact).equal(false)
    expect(refused(`{"a":[${'1.0,'.repeat(101_000)}1]}`)).include({ code: 'schema_validation_failed' })
  })

  it('finds long texts that are values, at any depth', () => {
    const long = 'x'.repeat(4096)
    expect(textsOf(JSON.stringify({ a: long, b: [long.slice(1), { c: `${long}é` }], [long]: 1 }))).deep.equal([
      long,
      `${long}é`,
    ])
    expect(textsOf('["ab", "abc" ]', 3)).deep.equal(['abc'])
  })

  it('ignores texts in the input of a tool call, which is converted to text as a whole', () => {
    const call = (input: unknown) => JSON.stringify({ messages: [{ content: [{ input, text: 'after' }] }] })
    for (const input of ['deep', ['deep', { input: 'deep', a: ['deep'] }], { a: { input: ['deep'] } }])
      expect(textsOf(call(input), 1), JSON.stringify(input)).deep.equal(['after'])
    expect(textsOf('{"input":["a",{"content":"b"}]}', 1), 'of a Responses request').deep.equal(['a', 'b'])
    expect(textsOf('[{"input" : 1, "x":"a"},{"Input":"b"},{"input":{"x":"c"}},"d"]', 1)).deep.equal(['a', 'b', 'd'])
  })

  it('finds the end of any string, at any alignment', () => {
    fc.assert(
      fc.property(fc.array(anyText(40)), fc.nat({ max: 5 }), (texts, offset) => {
        const json = JSON.stringify(texts)
        const bytes = Buffer.from(' '.repeat(offset) + json).subarray(offset)
        const found = scanJson(bytes, 0).texts.map(({ from, to }) => bytes.toString('utf8', from - 1, to + 1))
        expect(found).deep.equal(texts.map(text => JSON.stringify(text).replace(/\\ud[89a-f]../g, '\\ufffd')))
      }),
      { numRuns: Number(process.env.RUNS ?? 500) },
    )
  })

  it('replaces lone surrogates, in texts and names', () => {
    const texts: Record<string, string> = {
      '"cut \\ud83d"': '"cut \\ufffd"',
      '"\\uDF89\\ud83c\\udf89\\uD83C"': '"\\ufffd\\ud83c\\udf89\\ufffd"',
      '{"\\ud83d\\ud83d\\u0041":["\\\\ud83d","\\ud83d\\n"]}': '{"\\ufffd\\ufffd\\u0041":["\\\\ud83d","\\ufffd\\n"]}',
    }
    for (const [json, sound] of Object.entries(texts))
      for (let offset = 0; offset < 4; offset++) {
        const bytes = Buffer.from(' '.repeat(offset) + json).subarray(offset)
        scanJson(bytes)
        expect(bytes.toString()).equal(sound)
      }
  })

  it('refuses invalid strings', () => {
    const filler = 'x'.repeat(50)
    const notJson = { code: 'invalid_json_request', message: 'The body is not valid JSON.' }
    for (const fault of ['\n', '\u0000', '\t', '\u001f', '\\x', '\\u12g4', '\\U0041', '\\ ', '\\u123'])
      for (let before = 0; before < 5; before++)
        expect(refused(`["${filler.slice(before)}${fault}${filler}"]`), JSON.stringify(fault)).include(notJson)
    for (const end of ['', '\\', '\\u', '\\u00e', '\\"']) expect(refused(`["${filler}${end}`)).include(notJson)
    expect(scan(`["\u007f${filler}"]`).values).equal(2)
  })

  it('splits a text in front of a character or an escape', () => {
    for (const word of WILD)
      for (let before = 0; before < 14; before++) {
        const text = Buffer.from('a'.repeat(before) + word.repeat(400))
        for (let from = 0, count = 0; from < text.length; count = (count + 7) % 300) {
          const to = splitPoint(text, from, count + 1)
          expect(to, word).above(from)
          const part = JSON.parse(`"${text.subarray(from, to)}"`) as string
          if (word === '\\ud83c\\udf89' || word === '🎉') expect(part.isWellFormed(), part).equal(true)
          from = to
        }
        expect(splitPoint(text, 0, text.length)).equal(text.length)
      }
  })
})
