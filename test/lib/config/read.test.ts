// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are what is filled in
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ConfigError } from '../../../lib/config/problems.ts'
import { parseConfig, readConfig } from '../../../lib/config/read.ts'
import { ACCOUNT_ID, configOf, MODEL, problemsOf } from '../../support/config.ts'

describe('readConfig', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'sluiceway-config-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  it('reads a file; relative paths start at its directory', () => {
    const file = join(directory, 'a.yaml')
    writeFileSync(file, `store: sqlite:a.db${MODEL}`)
    expect(readConfig(file, {})).deep.include({ baseDir: directory, store: `sqlite:${directory}/a.db` })
  })

  it('says so when there is no such file, or it is none', () => {
    const problem = (file: string): string => {
      try {
        readConfig(file, {})
        return ''
      } catch (error) {
        return (error as Error).message
      }
    }
    const missing = join(directory, 'b.yaml')
    expect(problem(missing)).equal(`${missing} has one problem:\n  there is no file ${missing}`)
    expect(problem('b.yaml')).equal(`b.yaml has one problem:\n  there is no file ${join(process.cwd(), 'b.yaml')}`)
    expect(problem(directory)).match(/is a directory, not a file$/)
  })
})

describe('parseConfig', () => {
  it('takes JSON for the YAML it is', () => {
    const json = JSON.stringify({ $schema: './config.json', models: [{ id: 'm', backends: [{ url: 'http://x/v1' }] }] })
    expect(configOf(json).models[0]!.id).equal('m')
  })

  it('knows anchors, aliases and merge keys, and keeps what they share apart', () => {
    const config = configOf(`
models:
  - &first
    id: a
    backends: [&server { url: http://x/v1 }]
  - <<: *first
    id: b
  - id: c
    backends: [*server]`)
    expect(config.models.map(({ id }) => id)).deep.equal(['a', 'b', 'c'])
    expect(config.models.map(({ backends }) => backends[0]!.model)).deep.equal(['a', 'b', 'c'])
  })

  it('reports every problem at once, in the order of the file, with lines', () => {
    const text = `brand: Service
models:
  - id: m
    aliases: [m]
    backends:
      - ulr: http://x/v1
      - url: http://x/v1
        api_key: \${NOPE}
workers: 2
accounts:
  - id: ${ACCOUNT_ID}
    plan: gold`
    try {
      parseConfig(text, { baseDir: '/', env: {}, fileName: 'a.yaml' })
      expect.fail('must not be read')
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      expect(error.problems.map(({ line, path }) => [line, path])).deep.equal([
        [1, 'brand'],
        [4, 'models.0.aliases.0'],
        [6, 'models.0.backends.0.ulr'],
        [8, 'models.0.backends.1.api_key'],
        [9, 'workers'],
        [12, 'accounts.0.plan'],
      ])
    }
  })

  it('gives an absent member the line of what it is missing in', () => {
    try {
      configOf('models:\n  - backends: [{ url: http://x/v1 }]')
      expect.fail('must not be read')
    } catch (error) {
      expect((error as ConfigError).problems).deep.equal([{ path: 'models.0.id', message: 'is required', line: 2 }])
    }
  })

  it('fills in environment variables before it looks at types', () => {
    const text = `listen: { port: "\${PORT}" }\nmodels: [{ id: "\${NAME}", backends: [{ url: "http://\${HOST}/v1" }] }]`
    const config = configOf(text, { PORT: '81', NAME: '7', HOST: 'h:1' })
    expect(config.listen.port).equal(81)
    expect(config.models[0]!.id).equal('7')
    expect(config.models[0]!.backends[0]!.url).equal('http://h:1/v1')
  })

  it('names a variable that is not set, and nothing else about that member', () => {
    expect(problemsOf(`listen: { port: "\${PORT}" }${MODEL}`)).deep.equal([
      'listen.port: environment variable PORT is not set',
    ])
  })

  it('reports mistakes of YAML with their line', () => {
    const problem = (text: string): string => {
      try {
        configOf(text)
        return ''
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(problem('brand: a\nbrand: b')).match(/line 2: not valid YAML: Map keys must be unique/)
    expect(problem('a: b: c')).match(/line 1: not valid YAML: /)
    expect(problem('a: 1\n---\nb: 2')).match(/line 2: not valid YAML: /)
    expect(problem('a: *nowhere')).match(/not valid YAML: Unresolved alias .*nowhere/)
    expect(problem('a: !!weird x')).match(/line 1: not valid YAML: /)
  })

  it('says once what is wrong with a line', () => {
    expect(problemsOf('- a\nb: c')).lengthOf(1)
  })

  it('knows why a variable inside braces is not valid YAML', () => {
    expect(problemsOf('listen: { port: ${PORT} }')).deep.equal([
      'not valid YAML: Unexpected flow-map-start at node end (inside { } and [ ], put a string with ${NAME} into quotes)',
    ])
  })

  it('does not quote what YAML stumbled over', () => {
    expect(problemsOf('keys:\n  - secret: service_s3cret: x\n  "service_s3cret').join())
      .match(/not valid YAML/)
      .and.not.contain('s3cret')
  })

  it('does not unfold aliases without end', () => {
    const levels = Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`)
    expect(problemsOf(['a0: &a0 [x]', ...levels].join('\n'))).deep.equal([
      'not valid YAML: aliases expand to an excessive size',
    ])
  })

  it('refuses an alias inside its own anchor', () => {
    for (const text of ['models: &a [*a]', 'models: &a { id: { b: [*a] } }']) {
      expect(problemsOf(text), text).deep.equal(['not valid YAML: an alias is inside its own anchor'])
    }
  })

  it('refuses a file that is empty or no object', () => {
    expect(problemsOf('')).deep.equal(['the file is empty'])
    expect(problemsOf('[]')).deep.equal(['must be an object, not an array'])
  })
})
