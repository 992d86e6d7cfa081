import { expect } from 'chai'
import { isDeeperThan, isObject, type Json, parseJson } from '../../../lib/base/json.ts'

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

  describe('depth', () => {
    const nested = (levels: number, wrap: (inner: Json) => Json): Json => {
      let value: Json = 1
      for (let i = 0; i < levels; i++) value = wrap(value)
      return value
    }

    it('counts arrays and objects, mixed, wherever they stand', () => {
      for (const wrap of [(inner: Json) => [0, inner], (inner: Json) => ({ a: null, b: inner })]) {
        expect(isDeeperThan(nested(4, wrap), 4)).equal(false)
        expect(isDeeperThan(nested(5, wrap), 4)).equal(true)
      }
      expect(isDeeperThan([{ a: [{}] }], 3)).equal(true)
      expect(isDeeperThan([{ a: [{}] }], 4)).equal(false)
      for (const flat of [null, undefined, 'text', 1]) expect(isDeeperThan(flat, 0)).equal(false)
      expect(isDeeperThan([], 0)).equal(true)
    })

    it('needs no stack beyond the limit', () => {
      expect(isDeeperThan(JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 128)).equal(true)
    })
  })
})
