import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { defaultChain } from '../../../lib/config/default-chain.ts'
import { runCli, temporaryDirectory } from '../../support/cli.ts'
import { MODEL } from '../../support/config.ts'

const SUMMARY = '1 model on 1 backend, 0 dedicated endpoints, 0 accounts with 0 keys.'

describe('sluiceway check', () => {
  const directory = temporaryDirectory()
  const write = (text: string): string => {
    const file = join(directory(), 'a.yaml')
    writeFileSync(file, text)
    return file
  }

  it('prints every problem with line and path, exit code 1', async () => {
    const file = write('brand: X\nmodels:\n  - id: m\n    backend: []\n')
    const { code, out, err } = await runCli(['check', '--config', file], { bin: true })
    expect(code).equal(1)
    expect(out).equal('')
    expect(err).equal(
      `sluiceway check: ${file} has 2 problems:
  line 1: brand: must be 1 to 32 lower-case letters, digits and dashes, and start with a letter
  line 4: models.0.backend: unknown key 'backend': did you mean 'backends'?
`,
    )
  })

  it('finds what is wrong with the chain as well', async () => {
    const file = write(`plugins: [{ use: model }]${MODEL}`)
    const { code, err } = await runCli(['check', '--config', file])
    expect(code).equal(1)
    expect(err).match(/^sluiceway check: .* has a chain of plugins that cannot run:\n/)
    expect(err).match(/'model' needs slot 'key'/)
  })

  it('finds what only shows when plugins are set up, as a start would', async () => {
    const mistakes = {
      "setup: () => { throw new Error('no licence') }": 'no licence',
      'setup: () => ({ onHeader() {} })': "there is no hook 'onHeader'",
      'setup: () => ({ async onFinish() {} })': "'onFinish' is not awaited",
    }
    for (const [member, problem] of Object.entries(mistakes)) {
      const file = write('')
      writeFileSync(join(dirname(file), 'own.mjs'), `export default { name: 'own', summary: '', ${member} }`)
      const chain = [...defaultChain(), './own.mjs'].map(use => `{ use: ${use} }`)
      writeFileSync(file, `plugins: [${chain.join(', ')}]${MODEL}`)
      const [check, explain] = await Promise.all(['check', 'explain'].map(name => runCli([name, '--config', file])))
      for (const { code, err } of [check!, explain!]) {
        expect(code).equal(1)
        expect(err).contain(`plugin 'own' could not be set up: ${problem}`)
      }
    }
  })

  it('says what a good file holds, exit code 0', async () => {
    const example = fileURLToPath(new URL('../../../config/example.yaml', import.meta.url))
    const { code, out, err } = await runCli(['check', '--config', example])
    expect({ code, err }).deep.equal({ code: 0, err: '' })
    expect(out).equal(`${example} is valid: 3 models on 4 backends, 1 dedicated endpoint, 1 account with 3 keys.\n`)
  })

  it('prints warnings, with which --strict alone fails', async () => {
    const file = write(`timeouts: { first_byte_ms: 60 }${MODEL}`)
    const warning =
      'Warning: line 1: timeouts.first_byte_ms: is in milliseconds, and then requests end with 504: for 60 seconds, write 60000\n'
    const [usual, strict] = await Promise.all(
      [[], ['--strict']].map(more => runCli(['check', '--config', file, ...more])),
    )
    expect(usual).include({ code: 0, err: '' })
    expect(strict!.code).equal(1)
    expect(strict!.err).equal("sluiceway check: 1 warning: see the lines that begin with 'Warning:'\n")
    for (const { out } of [usual!, strict!]) expect(out).equal(`${file} is valid: ${SUMMARY}\n${warning}`)
    const plausible = await runCli(['check', '--config', write(MODEL), '--strict'])
    expect(plausible).include({ code: 0, err: '' })
  })

  it('notes built-in plugins that are not in the chain', async () => {
    const chain = ['request-id', 'auth', 'zdr', 'validate', 'translate', 'model'].map(use => `{ use: ${use} }`)
    const { code, out } = await runCli(['check', '--config', write(`plugins: [${chain.join(', ')}]${MODEL}`)])
    expect(code).equal(0)
    expect(out).match(/^Note: The built-in plugin 'tools' is not in your chain/m)
  })

  it('names a plugin that cannot be found by its line, beside other problems', async () => {
    const changes =
      'plugins: { base: default, add: [\n  { use: ./gone.ts, after: model },\n  { use: reqest-id, after: model } ] }'
    const file = join(directory(), 'gone.yaml')
    writeFileSync(
      file,
      `workers: none\n${changes}\nmodels: [{ id: m, backends: [{ url: "http://127.0.0.1:8000/v1" }] }]\n`,
    )
    const { code, err } = await runCli(['check', '--config', file])
    expect(code).equal(1)
    expect(err.trimEnd().split('\n').slice(1)).deep.equal([
      '  line 1: workers: must be a whole number, not a string',
      `  line 3: plugins.add.0.use: './gone.ts': there is no file ${join(directory(), 'gone.ts')}`,
      "  line 4: plugins.add.1.use: 'reqest-id': there is no built-in plugin and no installed package of this name: did you mean 'request-id'? config/default-chain.yaml lists the built-ins; a file's path starts with './'",
    ])
  })

  it('prints probable mistakes together, and what is wrong with the chain', async () => {
    const plan = 'plans: { free: { requests: { limit: 5, window: 1d } } }'
    const model = '{ id: m, backends: [{ url: http://h/v1 }, { url: http://h/v1 }] }'
    const file = write(`plugins: [{ use: request-id }]\n${plan}\nmodels: [${model}]\n`)
    const { code, err } = await runCli(['check', '--config', file])
    expect(code).equal(1)
    expect(err).contain('line 2: plans.free.requests: has no effect')
    expect(err).contain('line 3: models.0.backends.1: is the same backend as models.0.backends.0')
    expect(err).contain(`\n${file} has a chain of plugins that cannot run:\n`)
    expect(err).contain("no plugin fills slot 'target'")
  })

  it('needs a file', async () => {
    const [none, missing] = await Promise.all([
      runCli(['check']),
      runCli(['check', '--config', join(directory(), 'none.yaml')]),
    ])
    expect(none.code).equal(2)
    expect(none.err).match(/^sluiceway check: --config FILE is needed\n/)
    expect(missing.code).equal(1)
    expect(missing.err).match(/there is no file \/.*none\.yaml\n$/)
  })
})
