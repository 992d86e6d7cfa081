import { expect } from 'chai'
import { isObject, parseJson } from '../../../lib/base/json.ts'

describe('json', () => {
  it('tells objects from everything else', () => {
    expect([{}, { a: 1 }, Object.create(null)].map(isObject)).deep.equal([true, true, true])
    expect([null, undefined, [], 'a', 1, true].map(isObject)).deep.equal([false, false, false, false, false, false])
  })

  it('reads JSON, and gives undefined for what is none', () => {
    expect(parseJson('{"a":[1,null]}')).deep.equal({ a: [1, null] })
    expect(parseJson('null')).equal(null)
    for (const text of ['', '{', "{'a':1}", 'undefined', '[1,]']) expect(parseJson(text), text).equal(undefined)
  })

  it('makes a member of __proto__, not a prototype', () => {
    const read = parseJson('{"__proto__":{"admin":true}}')
    expect((read as { admin?: boolean }).admin).equal(undefined)
  })
})
