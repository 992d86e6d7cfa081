import { expect } from 'chai'
import { readResponseFormat, readStop } from '../../../../lib/formats/openai/request.ts'

describe('readStop', () => {
  it('is a list, from a text and from a list', () => {
    expect(readStop('a')).eql(['a'])
    expect(readStop(['a', 'b'])).eql(['a', 'b'])
  })

  it('is undefined if none is sent', () => {
    for (const stop of [undefined, null, '', []]) expect(readStop(stop)).equal(undefined)
  })
})

describe('readResponseFormat', () => {
  it('keeps the two types without members', () => {
    expect(readResponseFormat({ type: 'text' })).eql({ type: 'text' })
    expect(readResponseFormat({ type: 'json_object' })).eql({ type: 'json_object' })
  })

  it('reads a schema; null means absent', () => {
    const json_schema = { name: 'n', schema: { type: 'object' }, strict: null, description: 'd' }
    expect(readResponseFormat({ type: 'json_schema', json_schema })).eql({
      type: 'json_schema',
      name: 'n',
      schema: { type: 'object' },
      strict: undefined,
      description: 'd',
    })
  })

  it('reads a grammar, and names a member that has no meaning with it', () => {
    expect(readResponseFormat({ type: 'grammar', grammar: 'g' })).eql({ type: 'grammar', grammar: 'g' })
    const shaped = { type: 'grammar', grammar: { root: 'a' }, syntax: 'lark' }
    expect(readResponseFormat(shaped)).eql({ type: 'grammar', grammar: '', unknown: 'syntax' })
    expect(readResponseFormat({ type: 'grammar' })).eql({ type: 'grammar', grammar: '' })
  })

  it('keeps the name of an unknown type, and of a schema without its member', () => {
    for (const type of ['xml', 'json_schema']) expect(readResponseFormat({ type })).eql({ type: 'other', name: type })
  })
})
