import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import type { Json, JsonObject } from '../../../lib/base/json.ts'
import { newCompiler } from '../../../lib/schemas/compiler.ts'
import { expected, pathOf, violations } from '../../../lib/schemas/wording.ts'

function wording(schema: JsonObject, value: Json): string {
  const validate = new Ajv2020({ strict: false, formats: { uuid: /^[0-9a-f-]{36}$/ } }).compile(schema)
  validate(value)
  const errors = validate.errors ?? []
  return expected(errors, errors[0]!)
}

describe('expected', () => {
  const cases: readonly [JsonObject, Json, string][] = [
    [{ type: 'string' }, 1, 'a string'],
    [{ type: 'integer' }, 1.5, 'a whole number'],
    [{ type: 'number' }, '1', 'a number'],
    [{ type: 'boolean' }, 1, 'true or false'],
    [{ type: 'object' }, [], 'an object'],
    [{ type: 'array' }, {}, 'an array'],
    [{ type: ['string', 'array', 'null'] }, 1, 'a string, an array or null'],
    [{ enum: ['a', 'b', 3] }, 'c', "'a', 'b' or 3"],
    [{ const: 'a' }, 'b', "'a'"],
    [{ minimum: 0 }, -1, 'at least 0'],
    [{ maximum: 2 }, 3, 'at most 2'],
    [{ exclusiveMinimum: 0 }, 0, 'greater than 0'],
    [{ exclusiveMaximum: 1 }, 1, 'less than 1'],
    [{ multipleOf: 2 }, 3, 'a multiple of 2'],
    [{ minLength: 1 }, '', 'a string that is not empty'],
    [{ minLength: 2 }, 'a', 'a string of at least 2 characters'],
    [{ maxLength: 1 }, 'ab', 'a string of at most 1 characters'],
    [{ minItems: 1 }, [], 'an array that is not empty'],
    [{ minItems: 2 }, [], 'an array of at least 2 items'],
    [{ maxItems: 1 }, [1, 2], 'an array of at most 1 items'],
    [{ uniqueItems: true }, [1, 1], 'an array without repeated items'],
    [{ minProperties: 1 }, {}, 'an object that is not empty'],
    [{ minProperties: 2 }, {}, 'an object of at least 2 members'],
    [{ maxProperties: 0 }, { a: 1 }, 'an object of at most 0 members'],
    [{ pattern: '^a+$' }, 'b', 'written like ^a+$'],
    [{ format: 'uuid' }, 'b', 'a UUID'],
    [{ not: {} }, 'secret', 'as the documentation of this field says'],
  ]
  for (const [schema, value, words] of cases) {
    it(`${JSON.stringify(schema)}: ${words}`, () => {
      expect(wording(schema, value)).equal(words)
    })
  }
})

describe('violations', () => {
  function found(schema: JsonObject, value: Json): readonly string[] {
    const validate = newCompiler({ errors: 'all', fillDefaults: false, checkSchemas: true }).compile(schema)
    validate(value)
    return violations(validate.errors ?? []).map(({ path, message }) => `${path}: ${message}`)
  }

  it('report every mistake once, with its path', () => {
    const item = {
      type: 'object',
      additionalProperties: false,
      required: ['url'],
      properties: { url: { type: 'string' } },
    }
    const schema = { type: 'object', properties: { 'a/b': { type: 'array', items: item } } }
    expect(found(schema, { 'a/b': [{ ulr: 'x' }, { url: 1 }, {}] })).deep.equal([
      "a/b.0.ulr: unknown key 'ulr': did you mean 'url'?",
      'a/b.1.url: must be a string, not a number: put it in quotes',
      'a/b.2.url: is required',
    ])
  })

  it('use the words of the schema for a pattern, and those of Ajv for a keyword without any', () => {
    const pattern = { type: 'string', pattern: '^a+$', patternErrorMessage: 'must be some letters a' }
    expect(
      found({ type: 'object', properties: { a: pattern, b: { not: { const: 1 } } } }, { a: 'b', b: 1 }),
    ).deep.equal(['a: must be some letters a', 'b: must NOT be valid'])
  })

  it('are those of the branch of a choice, without one about the choice', () => {
    const choice = {
      type: 'object',
      if: { type: 'object', properties: { a: true }, required: ['a'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { type: 'object', properties: { a: { type: 'number' } } },
      else: { type: 'object', properties: { b: true }, required: ['b'] },
    }
    expect(found(choice, { a: 'x' })).deep.equal(['a: must be a number, not a string'])
    expect(found(choice, {})).deep.equal(['b: is required'])
  })

  it('name the type of the value', () => {
    const schema = { type: 'object', properties: { a: { type: ['array', 'object'] }, b: { type: 'integer' } } }
    expect(found(schema, { a: 'x', b: 1.5 })).deep.equal([
      'a: must be an array or an object, not a string',
      'b: must be a whole number',
    ])
  })
})

describe('pathOf', () => {
  it('is empty for the value as a whole', () => {
    const error = { keyword: 'type', instancePath: '', schemaPath: '#/type', params: { type: 'object' } }
    expect(pathOf(error)).deep.equal([])
  })
})
