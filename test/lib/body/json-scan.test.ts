import { expect } from 'chai'
import { scanJson } from '../../../lib/body/json-scan.ts'
import { refusalOf } from '../../support/refusal.ts'

const scan = (json: string, shortest?: number) => scanJson(Buffer.from(json), shortest)
const textsOf = (json: string, shortest?: number) => {
  const bytes = Buffer.from(json)
  return scanJson(bytes, shortest).texts.map(({ from, to }) => bytes.toString('utf8', from, to))
}
const refused = (json: string) => refusalOf(() => void scan(json))

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
})
