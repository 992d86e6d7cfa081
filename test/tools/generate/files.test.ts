import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { generatedFiles } from '../../../tools/generate/files.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

describe('generated code', () => {
  let generated: ReadonlyMap<string, string>
  before(async () => {
    generated = await generatedFiles()
  })

  it('are current', () => {
    for (const [path, text] of generated) {
      const file = join(root, path)
      expect(existsSync(file) && readFileSync(file, 'utf8') === text, `${path}: run npm run generate`).equal(true)
    }
  })

  it('are all that is in folders of generated code', () => {
    const files = globSync('{lib,plugins}/**/generated/*', { cwd: root })
    expect(files.toSorted()).deep.equal([...generated.keys()].toSorted())
  })

  it('are what plugins know their options by', () => {
    const plugins = globSync('plugins/[!_]*/*/options.json', { cwd: root }).map(file => dirname(join(root, file)))
    expect(plugins).length.above(5)
    for (const plugin of plugins) {
      const code = readFileSync(join(plugin, 'index.ts'), 'utf8')
      expect(code, plugin)
        .contain("import type { Options } from './generated/options.ts'")
        .and.not.contain('interface Options')
    }
  })
})
