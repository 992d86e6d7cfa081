import { expect } from 'chai'
import fc from 'fast-check'
import { type JsonObject, parseJson } from '../../../lib/base/json.ts'
import { markedCopy, parseSource, restoreNumbers } from '../../../lib/base/source-json.ts'
import { jsonText } from '../../support/json-text.ts'

describe('source-json', () => {
  it('writes numbers and members as they were written', () => {
    const texts = [
      '{"id":2512292042121000001,"z":105.0}',
      '{"10":1,"2":{"b":-0,"01":1e400},"a":[1.0,2,{"1":1,"0":[]}]}',
      '{"x":1,"__proto__":{"5":1,"4":2.0},"3":"1.0"}',
    ]
    for (const text of texts) expect(JSON.stringify(parseSource(text))).equal(text)
    expect(JSON.stringify(parseSource(' { "\\u0031" : 1.0 , "0" : [ -0 ] } '))).equal('{"1":1.0,"0":[-0]}')
  })

  it('writes any JSON as it was written', () => {
    fc.assert(fc.property(jsonText, text => JSON.stringify(parseSource(`[${text}]`)) === `[${text}]`))
  })

  it('has the values that JSON.parse has', () => {
    fc.assert(fc.property(jsonText, text => void expect(parseSource(text)).deep.equal(parseJson(text))))
  })

  it('is undefined for text that is not JSON', () => {
    const texts = [
      '',
      '{',
      '{1.0:2}',
      '[01]',
      '{"a":-}',
      '[1.]',
      '[1.0 2.0]',
      '["a"1.0]',
      '{"1":1.0,}',
      '{"\\u003":1.0}',
    ]
    for (const text of texts) expect(parseSource(text), text).equal(undefined)
  })

  it('reads numbers at the root, and nesting of any depth', () => {
    expect(parseSource('1.0')).equal(1)
    const deep = `${'['.repeat(100_000)}1.0${']'.repeat(100_000)}`
    expect(Array.isArray(parseSource(deep))).equal(true)
  })

  it('writes members as they are after a change', () => {
    const value = parseSource('{"10":1.0,"2":2.0,"b":[1.0,2.0]}') as JsonObject
    value['2'] = 3
    value.c = true
    delete value['10']
    ;(value.b as number[]).shift()
    expect(JSON.stringify(value)).equal('{"2":3,"b":[2],"c":true}')
  })

  it('lists no additional member', () => {
    const value = parseSource('{"2":2.0}') as JsonObject
    expect(Object.keys(value)).deep.equal(['2'])
    expect({ ...value }).deep.equal({ '2': 2 })
  })

  it('keeps numbers that are copied between objects', () => {
    const copy = markedCopy(parseSource('{"a":{"x":105.0,"10":[-0],"2":1},"b":{"y":1e2,"z":1}}') as JsonObject)
    const merged = { ...(copy.a as JsonObject), ...(copy.b as JsonObject) }
    expect(JSON.stringify(restoreNumbers([merged, merged, copy.a!]))).equal(
      '[{"2":1,"10":[-0],"x":105.0,"y":1e2,"z":1},{"2":1,"10":[-0],"x":105.0,"y":1e2,"z":1},{"x":105.0,"10":[-0],"2":1}]',
    )
  })
})
