import { readdirSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { isObject, type JsonObject } from '../../../lib/base/json.ts'
import { EFFORTS } from '../../../lib/canonical/request.ts'
import { ENGINES, PROFILES } from '../../../lib/config/profile.ts'
import { ANNOTATIONS, CONFIG_SCHEMAS, validateFile } from '../../../lib/config/schema.ts'

/** Every schema in the files, with where it is. */
function* subschemas(node: unknown, at: string): Generator<readonly [string, JsonObject]> {
  if (!isObject(node)) return
  yield [at, node]
  for (const group of ['properties', '$defs'] as const) {
    const members = node[group]
    if (!isObject(members)) continue
    for (const [name, member] of Object.entries(members)) yield* subschemas(member, `${at}/${name}`)
  }
  for (const name of ['items', 'additionalProperties'] as const) yield* subschemas(node[name], `${at}/${name}`)
}

function everySchema(): (readonly [string, JsonObject])[] {
  return Object.entries(CONFIG_SCHEMAS).flatMap(([file, schema]) => [...subschemas(schema, file)])
}

/** What `$ref` names, for looking at its description. */
function target(file: string, ref: string): JsonObject | undefined {
  const [path = '', pointer = ''] = ref.split('#')
  const schema = path === '' ? CONFIG_SCHEMAS[file] : CONFIG_SCHEMAS[new URL(path, `x:/${file}`).pathname.slice(1)]
  const found = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, name) => (isObject(node) ? node[name] : undefined), schema)
  return isObject(found) ? found : undefined
}

describe('the schemas of the configuration', () => {
  it('are all loaded', () => {
    const files = readdirSync(new URL('../../../schemas/config', import.meta.url)).map(name => `config/${name}`)
    expect(Object.keys(CONFIG_SCHEMAS).sort()).deep.equal(['config.json', ...files].sort())
  })

  it('are valid JSON Schema 2020-12', () => {
    const ajv = new Ajv2020({
      strict: true,
      strictTypes: true,
      allowUnionTypes: true,
      formats: { uri: true, uuid: true },
    })
    ajv.addVocabulary(ANNOTATIONS)
    for (const schema of Object.values(CONFIG_SCHEMAS)) expect(ajv.validateSchema(schema)).equal(true)
  })

  it('let no block have unknown members', () => {
    for (const [at, schema] of everySchema()) {
      if (schema.properties !== undefined) expect(schema.additionalProperties, at).equal(false)
    }
  })

  it('describe every member, and say what holds when it is absent', () => {
    for (const [at, schema] of everySchema()) {
      const file = at.slice(0, at.indexOf('.json') + 5)
      const required = Array.isArray(schema.required) ? schema.required : []
      for (const [name, member] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
        const place = `${at}/${name}`
        if (!isObject(member)) throw new Error(place)
        const shown = { ...(typeof member.$ref === 'string' ? target(file, member.$ref) : {}), ...member }
        expect(shown.description, place)
          .a('string')
          .and.match(/[.?)]$/)
        const fallback = 'default' in shown || 'x-default' in shown
        expect(fallback, place).equal(!required.includes(name))
      }
    }
  })

  it('know every engine, effort and fact of a profile', () => {
    const properties = (file: string) => (CONFIG_SCHEMAS[file] as JsonObject).properties as Record<string, JsonObject>
    expect(properties('config/backend.json').engine!.enum).deep.equal([...ENGINES])
    expect(Object.keys(properties('config/profile.json')).sort()).deep.equal(Object.keys(PROFILES.openai).sort())
    const effort = properties('config/capabilities.json').reasoning_effort!.properties as Record<string, JsonObject>
    expect(effort.default!.enum).deep.equal([...EFFORTS])
  })
})

describe('validateFile', () => {
  it('gives texts from the environment the type that is asked for', () => {
    const file = {
      workers: '2',
      drain_seconds: '0.5',
      responses: { sequence_number: 'true' },
      messages: { adaptive_thinking: 'true' },
      models: [{ id: 'm', max_model_len: '4096', backends: [{ url: 'http://x/v1', zdr: 'false' }] }],
    }
    const whole = new Set([
      'workers',
      'drain_seconds',
      'responses.sequence_number',
      'messages.adaptive_thinking',
      'models.0.max_model_len',
      'models.0.backends.0.zdr',
    ])
    expect(validateFile(file, whole)).deep.equal([])
    expect(file).deep.include({ workers: 2, drain_seconds: 0.5 })
    expect(file.responses.sequence_number).equal(true)
    expect(file.messages.adaptive_thinking).equal(true)
    expect(file.models[0]).deep.include({ max_model_len: 4096 })
    expect(file.models[0]!.backends[0]).deep.include({ zdr: false })
  })

  it('leaves texts from the environment alone where a text belongs', () => {
    const file = {
      brand: 'x',
      store: 'sqlite:1',
      journal: '123',
      models: [{ id: '7', backends: [{ url: 'http://x' }] }],
    }
    expect(validateFile(file, new Set(['journal', 'models.0.id']))).deep.equal([])
    expect(file.journal).equal('123')
    expect(file.models[0]!.id).equal('7')
  })

  it('refuses a text from the environment that cannot be what is asked for', () => {
    const file = { workers: 'two', models: [{ id: 'm', backends: [{ url: 'http://x' }] }] }
    expect(validateFile(file, new Set(['workers']))).deep.equal([
      { path: 'workers', message: 'must be a whole number, not text' },
    ])
  })

  it('does not convert what was written in the file', () => {
    const file = { workers: '2', models: [{ id: 'm', backends: [{ url: 'http://x' }] }] }
    expect(validateFile(file, new Set())).lengthOf(1)
  })
})
