import { expect } from 'chai'
import { shownOptions } from '../../../lib/process/shown-options.ts'

const HIDDEN = '(hidden)'
const SECRET = { type: 'string', writeOnly: true }

describe('shownOptions', () => {
  it('hides what is only written, and shows everything else', () => {
    const schema = { type: 'object', properties: { url: { type: 'string' }, token: SECRET } }
    const options = { url: 'http://a', token: 'abc', more: [1, null] }
    expect(shownOptions(options, schema)).deep.equal({ url: 'http://a', token: HIDDEN, more: [1, null] })
    expect(options.token).equal('abc')
    expect(shownOptions({ url: 'http://a' }, schema)).deep.equal({ url: 'http://a' })
  })

  it('finds it at any depth, in lists, by patterns, behind references and in alternatives', () => {
    const schema = {
      $defs: { 'a/b': SECRET, loop: { properties: { loop: { $ref: '#/$defs/loop' }, key: SECRET } } },
      properties: {
        nested: { properties: { key: SECRET } },
        list: { items: { properties: { key: SECRET } } },
        pair: { prefixItems: [SECRET], items: { type: 'string' } },
        named: { patternProperties: { '^x-': SECRET }, additionalProperties: { type: 'string' } },
        every: { additionalProperties: SECRET },
        referred: { $ref: '#/$defs/a~1b' },
        either: { oneOf: [{ type: 'string' }, { properties: { key: SECRET } }] },
        loop: { $ref: '#/$defs/loop' },
        whole: { type: 'object', writeOnly: true },
      },
    }
    const options = {
      nested: { key: 'a', other: 'b' },
      list: [{ key: 'a', other: 'b' }],
      pair: ['a', 'b'],
      named: { 'x-key': 'a', other: 'b' },
      every: { one: 'a' },
      referred: 'a',
      either: { key: 'a', other: 'b' },
      loop: { loop: { loop: { key: 'a', other: 'b' } } },
      whole: { one: 'a' },
    }
    const shown = { key: HIDDEN, other: 'b' }
    expect(shownOptions(options, schema)).deep.equal({
      nested: shown,
      list: [shown],
      pair: [HIDDEN, 'b'],
      named: { 'x-key': HIDDEN, other: 'b' },
      every: { one: HIDDEN },
      referred: HIDDEN,
      either: shown,
      loop: { loop: { loop: shown } },
      whole: HIDDEN,
    })
  })

  it('takes schemas that are none, and references that lead nowhere or in a circle', () => {
    expect(shownOptions({ a: 1 }, undefined)).deep.equal({ a: 1 })
    expect(shownOptions({ a: 1 }, { properties: { a: { $ref: '#/$defs/none' } } })).deep.equal({ a: 1 })
    expect(shownOptions({ a: 1 }, { properties: { a: { $ref: 'https://example.com/a' } } })).deep.equal({ a: 1 })
    const circle = { $defs: { a: { $ref: '#/$defs/a' } }, properties: { a: { $ref: '#/$defs/a' } } }
    expect(shownOptions({ a: 1 }, circle)).deep.equal({ a: 1 })
  })
})
