/** Packages in one file (docs/adr/0083-packages-in-one-file.md), in a checkout in miniature. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { temporaryDirectory } from '../support/cli.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const PROGRAM = `
import tools, { version } from '#tools'
console.log(JSON.stringify([version, tools.version, import.meta.resolve('#tools')]))
`

describe('bin/bundle-packages', () => {
  const checkout = temporaryDirectory()
  const path = (file: string) => join(checkout(), file)
  const write = (file: string, text: string) => {
    mkdirSync(dirname(path(file)), { recursive: true })
    writeFileSync(path(file), text)
  }
  const node = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: checkout(), encoding: 'utf8' })
    expect(status, stderr).equal(0)
    return { stdout, stderr }
  }
  const bundle = () => node('bin/bundle-packages.mjs').stderr
  /** A package of two modules, CommonJS. */
  const install = (version: string) => {
    write('node_modules/tools/package.json', JSON.stringify({ name: 'tools', version }))
    write('node_modules/tools/LICENSE', 'Do as you like. */')
    write('node_modules/tools/index.js', `require('node:fs')\nexports.version = require('./version.js')\n`)
    write('node_modules/tools/version.js', `module.exports = '${version}'\n`)
  }
  /** What the program gets that runs with the flags of the gateway: the version, and the file that it is in. */
  const run = () => {
    const print = "import('./bin/node-flags.mjs').then(m => console.log(JSON.stringify(m.nodeFlags())))"
    const flags = JSON.parse(node('-e', print).stdout) as string[]
    const [named, fromDefault, url] = JSON.parse(node(...flags, 'program.mjs').stdout) as [string, string, string]
    expect(fromDefault).equal(named)
    return { version: named, file: basename(url) }
  }

  beforeEach(() => {
    cpSync(join(root, 'bin'), path('bin'), { recursive: true })
    const imports = { '#tools': { 'sluiceway-bundled': './.bundles/tools.mjs', default: 'tools' } }
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { prepare: string } }
    write('package.json', JSON.stringify({ type: 'module', imports, scripts: { prepare: scripts.prepare } }))
    write('program.mjs', PROGRAM)
    install('1.0.0')
    symlinkSync(join(root, 'node_modules/esbuild'), path('node_modules/esbuild'))
  })

  it('makes one file of a package, which exports what the package does and has its licence', () => {
    expect(run()).deep.equal({ version: '1.0.0', file: 'index.js' })
    expect(bundle()).equal('')
    expect(run()).deep.equal({ version: '1.0.0', file: 'tools.mjs' })
    expect(readFileSync(path('.bundles/tools.mjs'), 'utf8'))
      .contain('tools 1.0.0')
      .and.contain('Do as you like. * /')
    expect(readdirSync(path('.bundles')).toSorted()).deep.equal(['tools.mjs', 'tools.mjs.version'])
  })

  it('is not used once another version of the package is installed, until it is made again', () => {
    bundle()
    install('1.0.1')
    expect(run()).deep.equal({ version: '1.0.1', file: 'index.js' })
    bundle()
    expect(run()).deep.equal({ version: '1.0.1', file: 'tools.mjs' })
  })

  it('is not used where one of the files is missing', () => {
    for (const file of ['tools.mjs', 'tools.mjs.version']) {
      bundle()
      rmSync(path(`.bundles/${file}`))
      expect(run(), file).deep.equal({ version: '1.0.0', file: 'index.js' })
    }
  })

  it('is not used where it does not say which version it has', () => {
    bundle()
    write('.bundles/tools.mjs.version', '')
    expect(run()).deep.equal({ version: '1.0.0', file: 'index.js' })
  })

  it('says why there are none and succeeds: without esbuild, without the package, and where nothing can be written', () => {
    rmSync(path('node_modules/esbuild'))
    expect(bundle()).match(/^Packages are used without bundles.*esbuild/)
    expect(run()).deep.equal({ version: '1.0.0', file: 'index.js' })
    symlinkSync(join(root, 'node_modules/esbuild'), path('node_modules/esbuild'))
    // A file where the folder would be: what may not be written does not stop root.
    write('.bundles', '')
    expect(bundle()).match(/^Packages are used without bundles/)
    expect(run()).deep.equal({ version: '1.0.0', file: 'index.js' })
    rmSync(path('node_modules/tools'), { recursive: true })
    expect(bundle()).match(/^Packages are used without bundles.*tools/)
  })

  it('is made by npm after an install, which succeeds also where only the manifest has been copied', () => {
    const { scripts } = JSON.parse(readFileSync(path('package.json'), 'utf8')) as { scripts: { prepare: string } }
    const prepare = () => spawnSync(scripts.prepare, { cwd: checkout(), encoding: 'utf8', shell: true })
    expect(prepare()).include({ status: 0, stderr: '' })
    expect(run().file).equal('tools.mjs')
    rmSync(path('bin'), { recursive: true })
    expect(prepare()).include({ status: 0, stderr: '' })
  })
})
