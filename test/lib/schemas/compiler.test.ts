import { expect } from 'chai'
import { newCompiler } from '../../../lib/schemas/compiler.ts'

describe('newCompiler', () => {
  it('stops at the first error, or finds all with the values that were refused', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } }
    const errorsOf = (errors: 'first' | 'all') => {
      const validate = newCompiler({ errors, fillDefaults: false, checkSchemas: false }).compile(schema)
      validate({ a: 1, b: 2 })
      return validate.errors!.map(({ instancePath, data }) => ({ instancePath, data }))
    }
    expect(errorsOf('first')).deep.equal([{ instancePath: '/a', data: undefined }])
    expect(errorsOf('all')).deep.equal([
      { instancePath: '/a', data: 1 },
      { instancePath: '/b', data: 2 },
    ])
  })

  it('fills in defaults only if told to', () => {
    const schema = { type: 'object', properties: { a: { default: 1 } } }
    for (const fillDefaults of [true, false]) {
      const value: { a?: number } = {}
      newCompiler({ errors: 'first', fillDefaults, checkSchemas: false }).compile(schema)(value)
      expect(value.a).equal(fillDefaults ? 1 : undefined)
    }
  })

  it('accepts formats and annotations', () => {
    const schema = { type: 'string', format: 'uuid', patternErrorMessage: 'x', 'x-default': 'y', 'x-no-effect': true }
    const validate = newCompiler({ errors: 'first', fillDefaults: false, checkSchemas: true }).compile(schema)
    expect(validate('6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21')).equal(true)
    expect(validate('urn:uuid:6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21')).equal(false)
  })

  it('reports members that x-ignore-others does not name to the `this` of the check', () => {
    const schema = { type: 'object', 'x-ignore-others': ['b'] }
    const validate = newCompiler({ errors: 'first', fillDefaults: false, checkSchemas: false }).compile(schema)
    const ignored: string[][] = []
    const add = (pointer: string, name: string) => ignored.push([pointer, name])
    expect(validate.call({ add }, { a: 1, b: 1, c: null })).equal(true)
    expect(ignored).deep.equal([['', 'a']])
  })
})
