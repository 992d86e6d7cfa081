import { expect } from 'chai'
import fc from 'fast-check'
import { isObject, type Json, type JsonObject, parseJson, parseText } from '../../../lib/base/json.ts'

describe('json', () => {
  it('distinguishes objects from all other values', () => {
    expect([{}, { a: 1 }, Object.create(null)].map(isObject)).deep.equal([true, true, true])
    expect([null, undefined, [], 'a', 1, true].map(isObject)).deep.equal([false, false, false, false, false, false])
  })

  it('parses JSON, and returns undefined for other text', () => {
    expect(parseJson('{"a":[1,null]}')).deep.equal({ a: [1, null] })
    expect(parseJson('null')).equal(null)
    for (const text of ['', '{', "{'a':1}", 'undefined', '[1,]']) expect(parseJson(text), text).equal(undefined)
  })

  it('makes a member of __proto__, not a prototype', () => {
    const read = parseJson('{"__proto__":{"admin":true}}')
    expect((read as { admin?: boolean }).admin).equal(undefined)
  })

  it('makes a member of __proto__ next to names with escapes, too', () => {
    const read = parseJson('{"\\n":1,"__proto__":{"admin":true}}') as JsonObject
    expect(JSON.stringify(read)).equal('{"\\n":1,"__proto__":{"admin":true}}')
    expect(read.admin).equal(undefined)
  })

  describe('names with escapes', () => {
    /** After `seen`, V8 expects one of its names where `text` has another name. */
    const TRAPS: readonly [seen: string, text: string, names: readonly string[]][] = [
      ['{"first":[],"\\\\":0}', '{"first":1,"\\n":2}', ['first', '\n']],
      ['{"second":[],"\\\\":0}', '{"second":1,"\\"":2,"\\\\":3}', ['second', '"', '\\']],
      ['{"third":[],"gr\\\\u0":0}', '{"third":1,"gr\\u00f6\\u00dfe":2}', ['third', 'größe']],
    ]

    it('are the written names, whatever the process has parsed before', () => {
      for (const [seen, text, names] of TRAPS) {
        // V8 forgets a name with its last object.
        const kept = JSON.parse(seen) as Json
        expect(Object.keys(parseText(text) as JsonObject), text).deep.equal(names)
        expect(Object.keys(parseText(`[null,${text}]`) as object)).deep.equal(['0', '1'])
        expect(parseText(seen)).deep.equal(kept)
      }
    })

    it('keep their order, with duplicates, numbers and whitespace', () => {
      const texts: Record<string, string> = {
        '{"a":1,"\\u0061":2,"b":3}': '{"a":2,"b":3}',
        '{"\\n":1,"b":2,"\\n":{"\\t":3}}': '{"\\n":{"\\t":3},"b":2}',
        '{"b":1,"\\u0031":2,"0":3}': '{"0":3,"1":2,"b":1}',
        '{ \t"\\n"\r\n : [{ "\\"" :1} ,\n"a,\\"b", ",\\\\" ] }': '{"\\n":[{"\\"":1},"a,\\"b",",\\\\"]}',
        '{"\\u005f_proto__":{"a\\/b":1}}': '{"__proto__":{"a/b":1}}',
        '["a\\n","b\\n",{"c":",","\\n":"\\n"}]': '["a\\n","b\\n",{"c":",","\\n":"\\n"}]',
      }
      for (const [text, read] of Object.entries(texts)) expect(JSON.stringify(parseText(text)), text).equal(read)
    })

    it('cause an error if the text is not JSON', () => {
      const texts = [
        '{"\\x":1}',
        '{"\\n":}',
        '{"\\n" 1}',
        '["\\n":1]',
        '{"a,"\\n":1}',
        '{"\\n',
        ',"\\',
        '{"\\u00":1}',
        '{"a\n\\n":1}',
      ]
      for (const text of texts) expect(() => parseText(text), text).throw(SyntaxError)
    })

    it('may be nested as deeply as other names', () => {
      expect(isObject(parseText(`${'{"\\n":'.repeat(100_000)}0${'}'.repeat(100_000)}`))).equal(true)
    })

    it('are parsed in any JSON as by a new engine, with the same errors', () => {
      const name = fc.string({
        unit: fc.constantFrom('a', '1', '"', '\\', '\n', ',', '{', ':', 'é', ' '),
        maxLength: 4,
      })
      const { value } = fc.letrec<{ value: Json }>(tie => ({
        value: fc.oneof({ maxDepth: 4 }, name, fc.nat(), fc.array(tie('value')), fc.dictionary(name, tie('value'))),
      }))
      fc.assert(
        fc.property(
          value,
          fc.nat(),
          fc.constantFrom('', '"', '\\', ',', ':', '{', ' '),
          fc.nat({ max: 2 }),
          (value, at, other, removed) => {
            expect(parseText(JSON.stringify(value))).deep.equal(value)
            const text = JSON.stringify(value, null, removed)
            const from = at % text.length
            const changed = text.slice(0, from) + other + text.slice(from + removed)
            const expected = readable(changed)
            expect(parseJson(changed) !== undefined, changed).equal(expected)
          },
        ),
        { numRuns: Number(process.env.RUNS ?? 300) },
      )
    })

    const readable = (text: string) => {
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    }
  })
})
