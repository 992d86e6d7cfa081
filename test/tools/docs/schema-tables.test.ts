import { expect } from 'chai'
import { membersTable, shownType } from '../../../tools/docs/schema-tables.ts'

describe('tables of schemas', () => {
  it('show types and bounds', () => {
    expect(shownType({ type: 'integer', minimum: 1, maximum: 128 })).equal('integer, at least 1, at most 128')
    expect(shownType({ type: 'integer', minimum: 1, maximum: 2147483647 })).equal('integer, at least 1')
    expect(shownType({ type: 'number', exclusiveMinimum: 0, maximum: 1 })).equal('number, above 0, at most 1')
    expect(shownType({ type: ['string', 'null'] })).equal('string or null')
    expect(shownType({ type: 'array', maxItems: 4, items: { type: 'string' } })).equal(
      'array of string, at most 4 items',
    )
    expect(shownType({ enum: ['a', null] })).equal('`a`, `null`')
    expect(shownType({ anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'string' }] })).equal(
      'string or integer',
    )
    expect([shownType(false), shownType({}), shownType(undefined)]).deep.equal(['refused', 'any', 'any'])
  })

  it('link to other schemas', () => {
    expect(shownType({ $ref: '#/components/schemas/SharedTool' })).equal('[SharedTool](/reference/schemas#sharedtool)')
    expect(shownType({ $ref: '#/components/schemas/ChatCompletionsBody/$defs/effort' })).equal(
      '[effort](/reference/schemas#chatcompletionsbody)',
    )
  })

  it('have a row for each member, and for those of objects inside', () => {
    const inner = { type: 'object', properties: { b: { type: 'string', description: 'Or | not.' } } }
    const schema = { type: 'object', required: ['a'], properties: { a: inner, c: { type: 'array', items: inner } } }
    expect(membersTable(schema, new Map([['a', 'Described.']]))).equal(`| Member | Type | Default | Meaning |
| - | - | - | - |
| \`a\` | object | required | Described. |
| \`a.b\` | string |  | Or \\| not. |
| \`c\` | array of object |  |  |
| \`c[].b\` | string |  | Or \\| not. |
`)
  })
})
