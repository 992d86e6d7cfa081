import { Ajv2020 } from 'ajv/dist/2020.js'
import formatsModule from 'ajv-formats'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { PatternError } from '../../simulator/pattern.ts'
import { seededRandom } from '../../simulator/random.ts'
import { sampleSchema } from '../../simulator/schema-sample.ts'

const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  'an object': {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer', minimum: 1, maximum: 7 },
      metric: { type: 'boolean' },
    },
    required: ['city', 'days'],
    additionalProperties: false,
  },
  'nested lists': {
    type: 'object',
    properties: {
      rows: {
        type: 'array',
        minItems: 3,
        items: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'null' }], items: false },
      few: { type: 'array', items: { enum: [1, 2, 3] }, uniqueItems: true, minItems: 3, maxItems: 3 },
    },
    required: ['rows', 'pair', 'few'],
  },
  'enum and const': {
    type: 'object',
    properties: { kind: { const: 'a' }, size: { enum: ['s', 'm', null, 4] } },
    required: ['kind', 'size'],
  },
  'strings with limits': {
    type: 'object',
    properties: {
      id: { type: 'string', pattern: '^[A-Z]{3}-\\d+$' },
      short: { type: 'string', maxLength: 2 },
      long: { type: 'string', minLength: 40 },
      when: { type: 'string', format: 'date-time' },
      mail: { type: 'string', format: 'email' },
      uuid: { type: 'string', format: 'uuid' },
    },
    required: ['id', 'short', 'long', 'when', 'mail', 'uuid'],
  },
  'numbers with limits': {
    type: 'object',
    properties: {
      below: { type: 'integer', maximum: -5 },
      between: { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 2 },
      step: { type: 'integer', multipleOf: 7, minimum: 20 },
      narrow: { type: 'number', minimum: 0.1, maximum: 0.2 },
    },
    required: ['below', 'between', 'step', 'narrow'],
  },
  references: {
    $defs: {
      node: {
        type: 'object',
        properties: { name: { type: 'string' }, 'a/b': { $ref: '#/$defs/leaf' } },
        required: ['name', 'a/b'],
      },
      leaf: { type: 'integer' },
    },
    type: 'array',
    items: { $ref: '#/$defs/node' },
    minItems: 1,
  },
  'a recursive tree': {
    $ref: '#/$defs/tree',
    $defs: {
      tree: {
        type: 'object',
        properties: {
          value: { type: 'integer' },
          children: { type: 'array', items: { $ref: '#/$defs/tree' } },
          next: { anyOf: [{ $ref: '#/$defs/tree' }, { type: 'null' }] },
        },
        required: ['value', 'next'],
      },
    },
  },
  unions: {
    type: 'object',
    properties: {
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      one: { oneOf: [{ type: 'object', properties: { a: { const: 1 } }, required: ['a'] }, { type: 'null' }] },
      both: {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { properties: { b: { type: 'integer' } }, required: ['b'] },
        ],
      },
      several: { type: ['string', 'null'] },
    },
    required: ['either', 'one', 'both', 'several'],
  },
  'no types at all': { properties: { a: { minimum: 3 }, b: { items: { type: 'string' } } }, required: ['a', 'b', 'c'] },
}

describe('simulator/schema-sample', () => {
  const ajv = new Ajv2020({ strict: false })
  formatsModule.default(ajv)

  for (const [name, schema] of Object.entries(SCHEMAS)) {
    it(`makes what the schema accepts: ${name}`, () => {
      const validate = ajv.compile(schema)
      for (let seed = 0; seed < 30; seed++) {
        const value = sampleSchema(schema, seededRandom(seed))
        expect(validate(value), `${JSON.stringify(value)} ${ajv.errorsText(validate.errors)}`).equal(true)
      }
    })
  }

  it('fills in every property, required or not', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['a'] }
    expect(sampleSchema(schema, seededRandom(0))).keys('a', 'b')
  })

  it('makes a property called __proto__ like any other', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"const":1}}}')
    expect(JSON.stringify(sampleSchema(schema, seededRandom(0)))).equal('{"__proto__":1}')
  })

  it('refuses what has no end or leads nowhere', () => {
    const wrong: JsonObject[] = [
      { $ref: '#' },
      { $ref: '#/$defs/missing' },
      { $ref: 'https://example.com/schema' },
      { type: 'integer', minimum: 5, maximum: 4 },
      { type: 'array', items: { const: 1 }, uniqueItems: true, minItems: 2 },
    ]
    for (const schema of wrong)
      expect(() => sampleSchema(schema, seededRandom(0)), JSON.stringify(schema)).throw(PatternError)
  })
})
