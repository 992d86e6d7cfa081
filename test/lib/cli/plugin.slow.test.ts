import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { CommandError } from '../../../lib/cli/command.ts'
import { writeBuiltIn, writePackage } from '../../../lib/cli/plugin.ts'
import { defaultChain } from '../../../lib/config/default-chain.ts'
import { loadPlugin } from '../../../lib/process/plugin-loader.ts'
import { scriptedBackend } from '../../support/backend.ts'
import { runCli, temporaryDirectory } from '../../support/cli.ts'
import { testGateway } from '../../support/gateway.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url)).slice(0, -1)

describe('sluiceway plugin', () => {
  const directory = temporaryDirectory()
  const plugin = (...argv: string[]) => runCli(['plugin', ...argv], { cwd: directory() })

  it('new: writes a package, and prints its files and what to do next', async () => {
    const { code, out, err } = await plugin('new', 'max-words')
    expect({ code, err }).deep.equal({ code: 0, err: '' })
    expect(existsSync(join(directory(), 'max-words/index.ts'))).equal(true)
    expect(out).match(/^max-words\/package\.json\n/)
    expect(out).contain(`  cd max-words\n  npm install --save-dev ${repository}\n  npm test\n`)
    expect(out).contain('plugins: { base: default, add: [{ use: ./max-words/index.ts, after: model }] }')
  })

  it('new: a name that cannot be taken is explained, exit code 1', async () => {
    mkdirSync(join(directory(), 'taken'))
    expect(await plugin('new', 'taken')).deep.equal({
      code: 1,
      out: '',
      err: 'sluiceway plugin: taken exists already\n',
    })
    const { code, err } = await plugin('new', 'Max_Words')
    expect(code).equal(1)
    expect(err).match(/^sluiceway plugin: 'Max_Words' is not a valid name for a plugin: use lower-case words/)
  })

  it('wrong usage: exit code 2', async () => {
    const wrong = await Promise.all([plugin(), plugin('make', 'x'), plugin('new'), plugin('new', 'a', 'b')])
    expect(wrong.map(({ code }) => code)).deep.equal([2, 2, 2, 2])
    expect(wrong.map(({ err }) => err.split('\n')[0])).deep.equal([
      'sluiceway plugin: an action is needed: new',
      "sluiceway plugin: there is no action 'make': use new",
      'sluiceway plugin: NAME is needed',
      "sluiceway plugin: unexpected argument 'b'",
    ])
  })
})

/** Runs Node in a directory; its output, and that it succeeded. */
function node(cwd: string, ...args: readonly string[]): string {
  // A test runner that started this one would take over the inner one's output.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: 'pipe', env })
}

describe('the template of a plugin', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sluiceway-template-'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  describe('as a built-in', () => {
    /** A tree that shares everything with this one but the folders that a new plugin is written to. */
    beforeEach(() => {
      mkdirSync(join(root, 'plugins'))
      for (const name of ['package.json', 'node_modules', 'lib', 'plugins/slots.ts']) {
        symlinkSync(join(repository, name), join(root, name))
      }
    })

    it('is a plugin of its family, a test that passes, and a page', () => {
      const files = writeBuiltIn(root, 'rules/audit-log')
      expect(files).deep.equal([
        'plugins/rules/audit-log/index.ts',
        'plugins/rules/audit-log/options.json',
        'test/plugins/rules/audit-log.test.ts',
        'docs/plugins/audit-log.md',
      ])
      for (const file of files) expect(readFileSync(join(root, file), 'utf8'), file).not.contain('_template')
      const index = readFileSync(join(root, files[0]!), 'utf8')
      expect(index).contain("import type { Options } from './generated/options.ts'").and.not.contain('interface')
      const output = node(
        root,
        join(repository, 'node_modules/mocha/bin/mocha.js'),
        'test/plugins/rules/audit-log.test.ts',
      )
      expect(output)
        .match(/audit-log\n/)
        .and.match(/4 passing/)
    })

    it('needs a family and a name that a folder can have', () => {
      for (const path of ['audit', 'rules/', '/audit', 'rules/Audit', 'rules/audit/log', '../audit', '_x/audit']) {
        expect(() => writeBuiltIn(root, path), path).throw(CommandError, /is not (?:FAMILY\/NAME|a valid name)/)
      }
      expect(readdirSync(join(root, 'plugins'))).deep.equal(['slots.ts'])
    })

    it('replaces no plugin and no file', () => {
      expect(() => writeBuiltIn(root, 'rules/auth')).throw(
        CommandError,
        "there is a built-in plugin named 'auth' already",
      )
      writeBuiltIn(root, 'rules/audit')
      expect(() => writeBuiltIn(root, 'rules/audit')).throw(CommandError, 'plugins/rules/audit/index.ts exists already')
    })
  })

  describe('as a package', () => {
    /** What `npm install --save-dev PATH` does: links the gateway and installs the compiler. */
    function link(name: string): string {
      const directory = join(root, name)
      mkdirSync(join(directory, 'node_modules/@types'), { recursive: true })
      symlinkSync(repository, join(directory, 'node_modules/sluiceway'))
      symlinkSync(join(repository, 'node_modules/@types/node'), join(directory, 'node_modules/@types/node'))
      return directory
    }

    it('has a test that passes, and types that pass a strict check', () => {
      const files = writePackage(root, 'max-output')
      expect(files).deep.equal([
        'max-output/package.json',
        'max-output/tsconfig.json',
        'max-output/tsconfig.build.json',
        'max-output/README.md',
        'max-output/.gitignore',
        'max-output/index.ts',
        'max-output/options.json',
        'max-output/test/index.test.ts',
      ])
      for (const file of files) expect(readFileSync(join(root, file), 'utf8'), file).not.contain('_template')
      const directory = link('max-output')
      const tests = node(directory, '--test', '--test-reporter=tap', 'test/*.test.ts')
      expect(tests).match(/^# pass 4$/m)
      expect(tests).match(/^# fail 0$/m)
      node(directory, join(repository, 'node_modules/typescript/bin/tsc'), '-p', '.')
    })

    it('can be published: npm packs compiled code with its types, and a gateway loads it by name', async () => {
      writePackage(root, 'max-output')
      const directory = link('max-output')
      symlinkSync(join(repository, 'node_modules/.bin'), join(directory, 'node_modules/.bin'))
      const npm = (cwd: string, ...args: readonly string[]) => execFileSync('npm', args, { cwd, encoding: 'utf8' })
      const [packed] = JSON.parse(npm(directory, 'pack', '--json', '--silent').replace(/^[^[]*/, '')) as {
        filename: string
        files: { path: string }[]
      }[]
      expect(packed!.files.map(({ path }) => path).toSorted()).deep.equal([
        'README.md',
        'dist/index.d.ts',
        'dist/index.js',
        'dist/options.json',
        'package.json',
      ])
      expect(JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))).not.property('private')
      const target = join(root, 'operator/node_modules/max-output')
      mkdirSync(target, { recursive: true })
      symlinkSync(repository, join(root, 'operator/node_modules/sluiceway'))
      execFileSync('tar', ['-xzf', join(directory, packed!.filename), '-C', target, '--strip-components=1'])
      const plugin = await loadPlugin('max-output', join(root, 'operator'))
      expect(plugin.name).equal('max-output')
    })

    it('runs in a gateway', async () => {
      writePackage(root, 'max-output')
      const directory = link('max-output')
      const backend = await scriptedBackend()
      const plugins = [
        ...defaultChain().map(use => ({ use })),
        { use: join(directory, 'index.ts'), options: { limit: 100 } },
      ]
      const gateway = await testGateway({ backends: [backend.url], more: { plugins } })
      try {
        const ask = async (max_tokens: number) => {
          const body = { model: 'm', max_tokens, messages: [{ role: 'user', content: 'Hi' }] }
          const response = await gateway.post('/v1/chat/completions', body)
          return { status: response.status, json: (await response.json()) as { error?: object } }
        }
        expect((await ask(100)).status).equal(200)
        const refused = await ask(101)
        expect(refused.status).equal(422)
        expect(refused.json.error).include({ code: 'schema_validation_failed', param: 'max_tokens' })
      } finally {
        await gateway.close()
        await backend.close()
      }
    })

    it('asks for the compiler and the Node that this repository uses', () => {
      const read = (file: string) => JSON.parse(readFileSync(join(repository, file), 'utf8'))
      const own = read('package.json')
      const { engines, devDependencies } = read('plugins/_template/package/package.json')
      expect(engines).deep.equal(own.engines)
      for (const [name, version] of Object.entries(devDependencies))
        expect(own.devDependencies[name], name).equal(version)
    })

    it('takes no name that a package cannot have, no name of a built-in, and no directory that exists', () => {
      for (const name of ['', 'Audit', '../audit', '_audit', 'audit-', 'audit log', 'rules/audit', 'a'.repeat(65)]) {
        expect(() => writePackage(root, name), name).throw(CommandError, /is not a valid name/)
      }
      expect(() => writePackage(root, 'auth')).throw(CommandError, "there is a built-in plugin named 'auth' already")
      mkdirSync(join(root, 'audit'))
      expect(() => writePackage(root, 'audit')).throw(CommandError, 'audit exists already')
      expect(readdirSync(root)).deep.equal(['audit'])
      expect(existsSync(join(root, 'audit/package.json'))).equal(false)
    })
  })
})
