import { expect } from 'chai'
import { FormFields, fieldTypes } from '../../../../lib/body/form/fields.ts'
import { refusalOf } from '../../../support/refusal.ts'

const TYPES = fieldTypes({
  properties: { n: { type: 'number' }, b: { type: 'boolean' }, 'l[]': { type: 'array' }, t: { type: 'string' } },
})

const read = (...fields: readonly (readonly [string, string])[]) => {
  const form = new FormFields(TYPES)
  for (const [name, text] of fields) form.add(name, text)
  return form.value
}

describe('body/form/fields', () => {
  it('converts texts to the types of the schema', () => {
    expect(read(['n', '-0.5'], ['b', 'True'], ['l[]', 'a'], ['l[]', 'b'], ['t', '1'], ['x', 'true'])).deep.equal({
      n: -0.5,
      b: true,
      'l[]': ['a', 'b'],
      t: '1',
      x: 'true',
    })
    expect(read(['b', '0'])).deep.equal({ b: false })
  })

  it('leaves invalid values to the schema', () => {
    for (const text of ['', ' 1', '0x10', 'Infinity', '1'.repeat(30)]) expect(read(['n', text])).deep.equal({ n: text })
    expect(read(['b', 'yes'])).deep.equal({ b: 'yes' })
  })

  it('refuses a repeated field, and accepts names of Object.prototype', () => {
    expect(refusalOf(() => read(['t', 'a'], ['t', 'b']))).include({ code: 'schema_validation_failed' })
    expect(Object.keys(read(['__proto__', 'x'], ['constructor', 'y']))).deep.equal(['__proto__', 'constructor'])
  })
})
