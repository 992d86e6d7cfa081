import { expect } from 'chai'
import { dotted } from '../../../lib/config/wording.ts'
import { MODEL, problemsOf } from '../../support/config.ts'

describe('dotted', () => {
  it('turns a JSON pointer into a path', () => {
    expect(dotted('/models/0/id')).equal('models.0.id')
    expect(dotted('/plans/a~1b~0c')).equal('plans.a/b~c')
    expect(dotted('')).equal('')
  })
})

/** One mistake each, and the sentence it must give. */
const MISTAKES: readonly (readonly [text: string, problem: string])[] = [
  [`${MODEL}lisen: {}`, "lisen: unknown key 'lisen': did you mean 'listen'?"],
  [`${MODEL}listen: { addr: x }`, "listen.addr: unknown key 'addr': known here are host, port, tls"],
  [
    'models: [{ id: m, backend: [{ url: http://x/v1 }] }]',
    "models.0.backend: unknown key 'backend': did you mean 'backends'?",
  ],
  ['brand: x', 'models: is required'],
  ['models: [{ id: m }]', 'models.0.backends: is required'],
  [`${MODEL}listen:`, 'listen: is empty: give it a value or remove the line'],
  [`${MODEL}listen: []`, 'listen: must be a block of keys and values, not a list'],
  [`${MODEL}plans: x`, 'plans: must be a block of keys and values, not text'],
  [`${MODEL}accounts: {}`, 'accounts: must be a list, not a block of keys and values'],
  [`${MODEL}workers: many`, 'workers: must be a whole number, not text'],
  [`${MODEL}retention_days: 1.5`, 'retention_days: must be a whole number'],
  [`${MODEL}drain_seconds: .nan`, 'drain_seconds: must be a finite number'],
  [`${MODEL}workers: 0`, 'workers: must be at least 1'],
  [`${MODEL}listen: { port: 65536 }`, 'listen.port: must be at most 65535'],
  [`${MODEL}brand: 7`, 'brand: must be text, not a number: put it in quotes'],
  [`${MODEL}brand: Service`, 'brand: must be 1 to 32 lower-case letters, digits and dashes, and start with a letter'],
  [`${MODEL}journal: ''`, 'journal: must not be empty'],
  [`${MODEL}docs_url: docs.example.com`, 'docs_url: must start with http:// or https://'],
  [`${MODEL}docs_url: 'https://do cs'`, 'docs_url: must be a URL'],
  [
    `${MODEL}log: { level: wran }`,
    "log.level: must be one of silent, fatal, error, warn, info, debug, trace: did you mean 'warn'?",
  ],
  [`${MODEL}log: { level: loud }`, 'log.level: must be one of silent, fatal, error, warn, info, debug, trace'],
  [`${MODEL}responses: { sequence_number: yes }`, 'responses.sequence_number: must be true or false, not text'],
  [`${MODEL}clamp_max_tokens: [chat, messages, chat]`, 'clamp_max_tokens: entries 1 and 3 are the same'],
  [`${MODEL}plans: { a b: {} }`, "plans.a b: is no name for a plan: use letters, digits, '_', '.' and '-'"],
  ['models: []', 'models: needs at least one entry'],
  [
    'models: [{ id: m, backends: [{ url: http://x/v1, weight: 0 }] }]',
    'models.0.backends.0.weight: must be more than 0',
  ],
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
    expect(problem).equal('accounts.0.members.0.user: must not be longer than 256 characters')
  })

  it('reports a name that inherits from every object as unknown', () => {
    expect(problemsOf(`${MODEL}constructor: 1`)[0]).match(/^constructor: unknown key 'constructor'/)
    expect(problemsOf(`${MODEL}__proto__: { brand: x }`)[0]).match(/^__proto__: unknown key '__proto__'/)
  })

  it('never quotes a value, which may be a secret', () => {
    const secrets = `
store: s3cret-store
limits_store: s3cret-limits
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
    expect(problems).lengthOf.above(9)
    expect(problems.join('\n')).not.contain('s3cret')
  })
})
