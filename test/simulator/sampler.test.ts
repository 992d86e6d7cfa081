import { Ajv2020 } from 'ajv/dist/2020.js'
import formatsModule from 'ajv-formats'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { PatternError } from '../../simulator/pattern.ts'
import { seededRandom } from '../../simulator/random.ts'
import { installed, Sampler } from '../../simulator/sampler.ts'

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

const EXPRESSIONS = [
  'yes|no',
  '^[A-Z]{2}-\\d{4}$',
  '(?:red|green|blue)+',
  '(?<year>\\d{4})-(0[1-9]|1[0-2])',
  '[^a-z]{3,5}',
  'a?b*c+d{2,}e{3}',
  '\\w+@\\w+\\.(com|org)',
  '[\\d\\s_-]+',
  '"(\\\\.|[^"\\\\])*"',
  '\\x41\\u00e9\\n',
  '[\\]a]+',
  'a{0,3}x{y',
  'é+[🌊🚀]{2}',
  '\\p{Lu}\\p{Ll}+',
  '\\d+?',
]

/** Far above the time that a text takes on a busy machine. */
const MAX_MS = 60_000

const sampleSchema = (schema: JsonObject, seed: number, sampler = new Sampler(MAX_MS)) =>
  sampler.schema(schema, seededRandom(seed))
const sampleRegex = (expression: string, seed: number, sampler = new Sampler(MAX_MS)) =>
  sampler.regex(expression, seededRandom(seed))

async function refusal(sampling: Promise<string>, of: string): Promise<string> {
  const error = await sampling.then(
    text => new Error(`${of} made ${text}`),
    (error: Error) => error,
  )
  expect(error).instanceOf(PatternError)
  return error.message
}

describe('simulator/sampler', () => {
  const ajv = new Ajv2020({ strict: false })
  formatsModule.default(ajv)

  for (const [name, schema] of Object.entries(SCHEMAS)) {
    it(`generates a value that the schema accepts: ${name}`, async () => {
      const validate = ajv.compile(schema)
      for (let seed = 0; seed < 30; seed++) {
        const text = await sampleSchema(schema, seed)
        expect(validate(JSON.parse(text)), `${text} ${ajv.errorsText(validate.errors)}`).equal(true)
      }
    })
  }

  it('fills in every property, required or not', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['a'] }
    expect(JSON.parse(await sampleSchema(schema, 0))).keys('a', 'b')
  })

  it('accepts schemas of older drafts', async () => {
    const schema = { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'http://a.test/b', const: 'c' }
    const sampler = new Sampler(MAX_MS)
    for (let seed = 0; seed < 2; seed++) expect(await sampleSchema({ ...schema }, seed, sampler)).equal('"c"')
  })

  for (const expression of EXPRESSIONS) {
    it(`generates texts that match ${expression}`, async () => {
      for (let seed = 0; seed < 20; seed++) {
        const text = await sampleRegex(expression, seed)
        expect(text).match(new RegExp(`^(?:${expression})$`, expression === 'a{0,3}x{y' ? 's' : 'su'))
      }
    })
  }

  it('generates equal texts for equal seeds only', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string', minLength: 8 }, b: { type: 'number' } } }
    for (const sample of [
      (seed: number) => sampleSchema(schema, seed),
      (seed: number) => sampleRegex('[a-z]{12}', seed),
    ]) {
      const texts = await Promise.all([1, 1, 2].map(sample))
      expect(texts[0]).equal(texts[1]).not.equal(texts[2])
    }
  })

  it('refuses schemas without an end, with unknown references or without a value', async () => {
    const wrong: JsonObject[] = [
      { $ref: '#' },
      { $ref: '#/$defs/missing' },
      { $ref: 'https://example.com/schema' },
      { type: 'integer', minimum: 5, maximum: 4 },
      { type: 'array', items: { const: 1 }, uniqueItems: true, minItems: 2 },
      { type: 'string', pattern: '(' },
    ]
    for (const schema of wrong) await refusal(sampleSchema(schema, 0), JSON.stringify(schema))
  })

  it('refuses invalid expressions', async () => {
    for (const wrong of ['(a', 'a)', '*a', '[a', '[z-a]', 'a{5,2}', '(?=a)', '(a)\\1', '\\'])
      await refusal(sampleRegex(wrong, 0), wrong)
  })

  it('is bounded in time and size, for all texts of a request together', async () => {
    const hostile = [
      (sampler: Sampler) => sampleRegex('((a{999}){999}){999}', 0, sampler),
      (sampler: Sampler) => sampleRegex('('.repeat(10_000), 0, sampler),
      (sampler: Sampler) => sampleSchema({ allOf: [{ $ref: '#' }] }, 0, sampler),
      (sampler: Sampler) => sampleSchema({ type: 'array', items: {}, minItems: 1e9 }, 0, sampler),
      (sampler: Sampler) => sampleSchema({ type: 'string', minLength: 100_000 }, 0, sampler),
    ]
    const startedAt = performance.now()
    for (const [i, sample] of hostile.entries()) await refusal(sample(new Sampler(100)), `${i}`)
    const sampler = new Sampler(100)
    for (let i = 0; i < 100; i++) await refusal(hostile[0]!(sampler), 'again')
    expect(performance.now() - startedAt).lessThan(60_000)
  })

  it('names the package to install if a library is missing', async () => {
    const missing = installed('no-such-package', () => import(`${'no-such-package'}`))
    expect(await refusal(missing, 'it')).match(
      /which is not installed: npm install --no-save --prefix \/\S+\/ no-such-package$/,
    )
  })
})
