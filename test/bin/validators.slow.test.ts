/** Validators that are generated where they are missing or old, in a copy of this checkout. */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { validators } from '../../tools/generate/validators.ts'
import { temporaryDirectory } from '../support/cli.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const SCHEMA = 'schemas/queries/file-list.json'

const CALL = "import('./bin/validators.mjs').then(m => m.generateValidators())"

describe('bin/validators', () => {
  const checkout = temporaryDirectory()
  const path = (file: string) => join(checkout(), file)
  const generate = () =>
    new Promise<{ readonly code: number | null; readonly said: string }>(resolve => {
      const child = spawn(process.execPath, ['-e', CALL], { cwd: checkout() })
      let said = ''
      child.stderr.on('data', text => (said += String(text)))
      child.on('close', code => resolve({ code, said }))
    })
  const timesOf = () => [...validators().keys()].map(file => statSync(path(file)).mtimeMs)

  beforeEach(() => {
    for (const folder of ['bin', 'lib', 'schemas', 'tools/generate']) {
      mkdirSync(dirname(path(folder)), { recursive: true })
      cpSync(join(root, folder), path(folder), { recursive: true, filter: file => basename(file) !== 'validators' })
    }
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(root, file), path(file))
    symlinkSync(join(root, 'node_modules'), path('node_modules'))
  })

  it('generates what is missing, and again after a schema has changed', async () => {
    expect(await generate()).deep.equal({ code: 0, said: 'Generating validators from schemas/ …\n' })
    const written = timesOf()
    expect(await generate()).deep.equal({ code: 0, said: '' })
    expect(timesOf()).deep.equal(written)
    writeFileSync(path(SCHEMA), readFileSync(path(SCHEMA), 'utf8').replace('"minimum":', '"exclusiveMinimum":'))
    expect((await generate()).code).equal(0)
    expect(readFileSync(path('lib/schemas/validators/queries.ts'), 'utf8')).contain('exclusiveMinimum')
    expect(await generate()).deep.equal({ code: 0, said: '' })
  })

  it('leaves whole files where two processes generate at once', async () => {
    const ended = await Promise.all([generate(), generate()])
    expect(ended.map(({ code }) => code)).deep.equal([0, 0])
    for (const [file, text] of validators()) {
      expect(readFileSync(path(file), 'utf8'), file).equal(text)
      expect(readdirSync(dirname(path(file)))).not.match(/tmp/)
    }
    expect(await generate()).deep.equal({ code: 0, said: '' })
  })

  it('ends the command where a schema cannot be used, and says why', async () => {
    writeFileSync(path(SCHEMA), '{')
    const { code, said } = await generate()
    expect(code).equal(1)
    expect(said).match(/SyntaxError: .*JSON/)
    expect([...validators().keys()].filter(file => existsSync(path(file)))).deep.equal([])
  })
})
