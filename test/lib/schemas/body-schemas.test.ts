import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import type { Json, JsonObject } from '../../../lib/base/json.ts'
import { acceptNulls, topLevelMembers } from '../../../lib/schemas/body-schemas.ts'

function accepts(schema: Json, value: Json): boolean {
  return new Ajv2020({ strict: false }).validate(acceptNulls(schema) as JsonObject, value)
}

describe('topLevelMembers', () => {
  it('has the members of the route and of the schema that it shares, without refused ones', () => {
    expect(topLevelMembers('messages')).include.members(['max_tokens', 'messages', 'stop_sequences'])
    expect(topLevelMembers('chat-completions')).include('tools').not.include('functions')
  })
})

describe('acceptNulls', () => {
  const schema = {
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'string' }, b: { type: 'number' }, c: { enum: ['x'] }, d: false },
    additionalProperties: false,
  }

  it('accepts null for members that are not required', () => {
    expect(accepts(schema, { a: 's', b: null, c: null, d: null })).equal(true)
  })

  it('changes nothing else', () => {
    expect(accepts(schema, { a: null })).equal(false)
    expect(accepts(schema, { a: 's', b: 'x' })).equal(false)
    expect(accepts(schema, { a: 's', c: 'y' })).equal(false)
    expect(accepts(schema, { a: 's', d: 1 })).equal(false)
    expect(accepts(schema, { a: 's', e: null })).equal(false)
    expect(accepts(schema, null)).equal(false)
  })

  it('does not change its argument', () => {
    const before = structuredClone(schema)
    acceptNulls(schema)
    expect(schema).eql(before)
  })

  const inner = { type: 'object', properties: { b: { type: 'number' } } }
  const places: readonly [string, Json, Json][] = [
    ['items', { type: 'array', items: inner }, [{ b: null }]],
    ['prefixItems', { type: 'array', prefixItems: [inner], minItems: 1, items: false }, [{ b: null }]],
    ['additionalProperties', { type: 'object', additionalProperties: inner }, { x: { b: null } }],
    ['patternProperties', { type: 'object', patternProperties: { '^x': inner } }, { x: { b: null } }],
    ['$defs', { $ref: '#/$defs/inner', $defs: { inner } }, { b: null }],
    ['allOf', { type: 'object', allOf: [inner] }, { b: null }],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ['then', { type: 'object', if: { required: ['b'] }, then: inner }, { b: null }],
    ['else', { type: 'object', if: { required: ['z'] }, else: inner }, { b: null }],
  ]
  for (const [name, outer, value] of places) {
    it(`reaches into ${name}`, () => {
      expect(accepts(outer, value)).equal(true)
    })
  }

  it('respects what an outer schema requires of the same value', () => {
    const outer = { type: 'object', required: ['b'], allOf: [inner] }
    expect(accepts(outer, { b: 1 })).equal(true)
    expect(accepts(outer, { b: null })).equal(false)
  })

  it('distinguishes an array from its items', () => {
    const outer = { type: 'array', required: ['b'], items: inner }
    expect(accepts(outer, [{ b: null }])).equal(true)
  })

  it('does not change conditions: null does not match them', () => {
    const condition = { properties: { kind: { const: 'a' } } }
    const outer = {
      type: 'object',
      properties: { kind: { type: 'string' } },
      if: condition,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['b'] },
    }
    expect(accepts(outer, { kind: null })).equal(true)
    expect(accepts(outer, { kind: 'a' })).equal(false)
  })
})
