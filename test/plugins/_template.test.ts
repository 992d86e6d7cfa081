import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { createPlugin } from '../../plugins/_template/create.ts'
import '../../plugins/_template/plugin.test.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

describe('npm run new-plugin', () => {
  let root: string

  /** A tree that shares everything with this one but the folders that a new plugin is written to. */
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sluiceway-new-plugin-'))
    mkdirSync(join(root, 'plugins'))
    for (const name of ['package.json', 'node_modules', 'lib', 'plugins/slots.ts']) {
      symlinkSync(join(repository, name), join(root, name))
    }
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it('writes a plugin, a test that passes, and a page', () => {
    const files = createPlugin(root, 'audit-log')
    expect(files).deep.equal([
      'plugins/audit-log/index.ts',
      'plugins/audit-log/options.json',
      'test/plugins/audit-log.test.ts',
      'docs/plugins/audit-log.md',
    ])
    for (const file of files) expect(readFileSync(join(root, file), 'utf8'), file).not.contain('_template')
    const args = [join(repository, 'node_modules/mocha/bin/mocha.js'), 'test/plugins/audit-log.test.ts']
    const output = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
    expect(output)
      .match(/audit-log\n/)
      .and.match(/2 passing/)
  })

  it('refuses a name that no folder should have, and one that is taken', () => {
    for (const name of ['', 'Audit', '../audit', '_audit', 'audit-', 'audit log']) {
      expect(() => createPlugin(root, name), name).throw(/is no name for a plugin/)
    }
    createPlugin(root, 'audit')
    expect(() => createPlugin(root, 'audit')).throw('plugins/audit/index.ts is there already')
  })
})
