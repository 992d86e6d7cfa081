import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import type { Json, JsonObject } from '../../../lib/base/json.ts'
import { type MemberNames, refuseBody } from '../../../lib/schemas/refusal.ts'
import { keptMessageOf, refusalOf } from '../../support/refusal.ts'

const NAMES: MemberNames = { known: new Set(['a', 'b', 'map']), free: new Set(['map']) }

/** Checks `value` as member `a` of a body. */
function check(schema: JsonObject, value: Json): void {
  const ajv = new Ajv2020({ strict: false })
  const validate = ajv.compile({ type: 'object', properties: { a: schema }, additionalProperties: false })
  if (!validate({ a: value })) refuseBody(validate.errors ?? [], NAMES, ['a', 'temperature'])
}

const saidOf = (schema: JsonObject, value: Json) => refusalOf(() => check(schema, value))

describe('refuseBody', () => {
  it('names the path of the mistake', () => {
    const schema = { type: 'array', items: { properties: { 'b/c~': { type: 'string' } } } }
    expect(saidOf(schema, [{}, { 'b/c~': 1 }])).include({
      code: 'schema_validation_failed',
      status: 422,
      param: 'a.1.b/c~',
      message: "'a.1.b/c~' must be a string.",
    })
  })

  it('names missing and unknown members', () => {
    const schema = { required: ['b'], properties: { b: {} }, additionalProperties: false }
    expect(saidOf(schema, {})).include({ code: 'schema_validation_failed', param: 'a.b' })
    expect(saidOf(schema, { b: 1, c: 2 })).include({ code: 'unsupported_parameter', status: 400, param: 'a.c' })
    expect(saidOf({ properties: { b: false } }, { b: 1 })).include({ code: 'unsupported_parameter', param: 'a.b' })
    expect(saidOf({ propertyNames: { pattern: '^x' } }, { yy: 1 })).include({
      code: 'schema_validation_failed',
      param: 'a.yy',
    })
  })

  it('suggests a member of the top level instead of a misspelt one', () => {
    const refusal = (name: string, members: readonly string[]) => {
      const validate = new Ajv2020().compile({ type: 'object', additionalProperties: false })
      return refusalOf(() => {
        if (!validate({ [name]: 1 })) refuseBody(validate.errors ?? [], NAMES, members)
      })
    }
    const members = ['temperature', 'max_tokens']
    expect(refusal('temprature', members)).include({
      code: 'unsupported_parameter',
      param: 'temprature',
      message: "Parameter 'temprature' is not supported; perhaps 'temperature' was meant.",
    })
    expect(refusal('maxTokens', members).message).contain("perhaps 'max_tokens' was meant")
    expect(refusal('guided_json', members).message).equal("Parameter 'guided_json' is not supported.")
    const inner = saidOf({ additionalProperties: false }, { temprature: 1 })
    expect(inner.message).equal("Parameter 'a.temprature' is not supported.")
  })

  it('repeats only the start of a name', () => {
    const refusal = saidOf({ properties: {}, additionalProperties: false }, { ['x'.repeat(100_000)]: 1 })
    expect(refusal.param).length.below(100)
    expect(refusal.message).length.below(200)
  })

  it('keeps the names of schemas and indexes, and the length of every other name', () => {
    const kept = (schema: JsonObject, value: Json) => keptMessageOf(() => check(schema, value))
    const closed = { properties: {}, additionalProperties: false }
    expect(kept({ items: closed }, [{ b: 1 }])).equal("Parameter 'a.0.b' is not supported.")
    expect(kept({ items: closed }, [{ secret: 1 }])).equal("Parameter 'a.0.<6 characters>' is not supported.")
    expect(kept({ items: closed }, [{ ['x'.repeat(100)]: 1 }])).contain("'a.0.<100 characters>'")
    const map = { properties: { map: { additionalProperties: { type: 'number' } } } }
    expect(kept(map, { map: { '4711': 'x' } })).equal("'a.map.<4 characters>' must be a number.")
  })

  describe('in a choice', () => {
    const object = { type: 'object', required: ['type'], properties: { type: { const: 'f' }, n: { type: 'number' } } }
    const choice = { anyOf: [{ type: 'string', enum: ['auto', 'none'] }, object] }

    it('names all types if none matches', () => {
      expect(saidOf(choice, 5).message).equal("'a' must be a string or an object.")
    })

    it('reports the branch whose type matches', () => {
      expect(saidOf(choice, 'never').message).equal("'a' must be 'auto' or 'none'.")
      expect(saidOf(choice, {}).message).equal("'a.type' is required.")
    })

    it('reports the deepest branch', () => {
      expect(saidOf(choice, { type: 'f', n: 'x' }).message).equal("'a.n' must be a number.")
      expect(saidOf({ oneOf: [object, { type: 'null' }] }, { type: 'f', n: 'x' })).include({ param: 'a.n' })
    })

    it('reports an array that is too long, not the items of another branch', () => {
      const texts = { type: 'array', maxItems: 1, items: { type: 'string' } }
      const numbers = { type: 'array', items: { type: 'integer' } }
      for (const either of [{ anyOf: [texts, numbers] }, { anyOf: [numbers, texts] }])
        expect(saidOf(either, ['x', 'y'])).include({ param: 'a', message: "'a' must be an array of at most 1 items." })
      expect(saidOf({ anyOf: [texts, numbers] }, [1, 'y']).message).equal("'a.1' must be a whole number.")
    })

    it('reports errors inside of conditions', () => {
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      const condition = { if: { type: 'string' }, then: { enum: ['x'] }, else: { type: 'object' } }
      expect(saidOf(condition, 'y').message).equal("'a' must be 'x'.")
      expect(saidOf(condition, 1).message).equal("'a' must be an object.")
    })

    it('has a message if only the choice itself failed', () => {
      expect(saidOf({ oneOf: [{ type: 'number' }, { type: 'integer' }] }, 1)).include({ param: 'a' })
    })
  })
})
