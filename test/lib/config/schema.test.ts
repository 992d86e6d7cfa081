import { readdirSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { isObject, type JsonObject } from '../../../lib/base/json.ts'
import { EFFORTS } from '../../../lib/canonical/request.ts'
import { configSchemas } from '../../../lib/config/config-schemas.ts'
import { ENGINES, PROFILES } from '../../../lib/config/profile.ts'
import { validateFile } from '../../../lib/config/schema.ts'
import { ANNOTATIONS } from '../../../lib/schemas/compiler.ts'
import { MODEL, problemsOf } from '../../support/config.ts'

const SCHEMAS = configSchemas()

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
  return Object.entries(SCHEMAS).flatMap(([file, schema]) => [...subschemas(schema, file)])
}

/** What `$ref` names, for looking at its description. */
function target(file: string, ref: string): JsonObject | undefined {
  const [path = '', pointer = ''] = ref.split('#')
  const schema = path === '' ? SCHEMAS[file] : SCHEMAS[new URL(path, `x:/${file}`).pathname.slice(1)]
  const found = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, name) => (isObject(node) ? node[name] : undefined), schema)
  return isObject(found) ? found : undefined
}

describe('the schemas of the configuration', () => {
  it('are all loaded', () => {
    const files = readdirSync(new URL('../../../schemas/config', import.meta.url)).map(name => `config/${name}`)
    expect(Object.keys(SCHEMAS).sort()).deep.equal(['config.json', ...files].sort())
  })

  it('are valid JSON Schema 2020-12', () => {
    const ajv = new Ajv2020({
      strict: true,
      strictTypes: true,
      allowUnionTypes: true,
      formats: { uri: true, uuid: true },
    })
    ajv.addVocabulary(ANNOTATIONS)
    for (const schema of Object.values(SCHEMAS)) expect(ajv.validateSchema(schema)).equal(true)
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
    const properties = (file: string) => (SCHEMAS[file] as JsonObject).properties as Record<string, JsonObject>
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
    expect(validateFile(file, whole).problems).deep.equal([])
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
    expect(validateFile(file, new Set(['journal', 'models.0.id'])).problems).deep.equal([])
    expect(file.journal).equal('123')
    expect(file.models[0]!.id).equal('7')
  })

  it('refuses a text from the environment that cannot be what is asked for', () => {
    const file = { workers: 'two', models: [{ id: 'm', backends: [{ url: 'http://x' }] }] }
    expect(validateFile(file, new Set(['workers'])).problems).deep.equal([
      { path: 'workers', message: 'must be a whole number, not a string' },
    ])
  })

  it('does not convert what was written in the file', () => {
    const file = { workers: '2', models: [{ id: 'm', backends: [{ url: 'http://x' }] }] }
    expect(validateFile(file, new Set()).problems).lengthOf(1)
  })
})

/** One mistake each, and the sentence it must give. */
const MISTAKES: readonly (readonly [text: string, problem: string])[] = [
  [`${MODEL}lisen: {}`, "lisen: unknown key 'lisen': did you mean 'listen'?"],
  [
    `${MODEL}listen: { addr: x }`,
    "listen.addr: unknown key 'addr': known here are host, port, trusted_proxies, reuse_port, tls",
  ],
  [
    'models: [{ id: m, backend: [{ url: http://x/v1 }] }]',
    "models.0.backend: unknown key 'backend': did you mean 'backends'?",
  ],
  ['brand: x', 'models: is required'],
  ['models: [{ id: m }]', 'models.0.backends: is required'],
  [`${MODEL}listen:`, 'listen: is empty: give it a value or remove the line'],
  [`${MODEL}listen: []`, 'listen: must be an object, not an array'],
  [`${MODEL}plans: x`, 'plans: must be an object, not a string'],
  [`${MODEL}accounts: {}`, 'accounts: must be an array, not an object'],
  [`${MODEL}workers: many`, 'workers: must be a whole number, not a string'],
  [`${MODEL}retention_days: 1.5`, 'retention_days: must be a whole number'],
  [`${MODEL}drain_seconds: .nan`, 'drain_seconds: must be a finite number'],
  [`${MODEL}workers: 0`, 'workers: must be at least 1'],
  [`${MODEL}listen: { port: 65536 }`, 'listen.port: must be at most 65535'],
  [`${MODEL}brand: 7`, 'brand: must be a string, not a number: put it in quotes'],
  [`${MODEL}brand: Service`, 'brand: must be 1 to 32 lower-case letters, digits and dashes, and start with a letter'],
  [`${MODEL}journal: ''`, 'journal: must be a string that is not empty'],
  [`${MODEL}docs_url: docs.example.com`, 'docs_url: must start with http:// or https://'],
  [`${MODEL}docs_url: 'https://do cs'`, 'docs_url: must be a URL'],
  [
    `${MODEL}log: { level: wran }`,
    "log.level: must be 'silent', 'fatal', 'error', 'warn', 'info', 'debug' or 'trace': did you mean 'warn'?",
  ],
  [`${MODEL}log: { level: loud }`, "log.level: must be 'silent', 'fatal', 'error', 'warn', 'info', 'debug' or 'trace'"],
  [`${MODEL}responses: { sequence_number: yes }`, 'responses.sequence_number: must be true or false, not a string'],
  [`${MODEL}clamp_max_tokens: [chat, messages, chat]`, 'clamp_max_tokens: entries 1 and 3 are the same'],
  [`${MODEL}plans: { a b: {} }`, "plans.a b: is not a valid name of a plan: use letters, digits, '_', '.' and '-'"],
  ['models: []', 'models: must be an array that is not empty'],
  [`${MODEL}memory: { account_share: 0 }`, 'memory.account_share: must be greater than 0'],
  [`${MODEL}accounts: [{ id: a }]`, 'accounts.0.id: must be a UUID'],
]

describe('wording of what the schema refuses', () => {
  for (const [text, problem] of MISTAKES) {
    it(problem, () => expect(problemsOf(text)).deep.equal([problem]))
  }

  it('cuts a text that is too long down to a sentence', () => {
    const user = 'u'.repeat(257)
    const [problem] = problemsOf(
      `${MODEL}accounts: [{ id: 6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21, members: [{ user: ${user} }] }]`,
    )
    expect(problem).equal('accounts.0.members.0.user: must be a string of at most 256 characters')
  })

  it('reports a name that inherits from every object as unknown', () => {
    expect(problemsOf(`${MODEL}constructor: 1`)[0]).match(/^constructor: unknown key 'constructor'/)
    expect(problemsOf(`${MODEL}__proto__: { brand: x }`)[0]).match(/^__proto__: unknown key '__proto__'/)
  })

  it('never quotes a value, which may be a secret', () => {
    const secrets = `
store: s3cret-store
limits_store: s3cret-limits
alerts: { webhook: 'https://u:s3cret@x/hook', secret: s3cret }
models:
  - id: m
    backends:
      - { url: s3cret-url, api_key: "s3cret key", headers: { x-y: "s3cret\\u0001" } }
      - { url: 'http://u:s3cret@x/v1', engine: s3cret }
accounts:
  - id: s3cret
    keys: [{ id: k, secret: s3cret }, { id: k2, sha256: s3cret }, { id: 's3cret k3', secret: [s3cret] }]
`
    const problems = problemsOf(secrets)
    expect(problems).lengthOf.above(11)
    expect(problems.join('\n')).not.contain('s3cret')
    expect(problems).include('alerts.webhook: must start with http:// or https://, without user and password')
  })
})
