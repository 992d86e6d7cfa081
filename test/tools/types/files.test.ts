import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { generatedFiles } from '../../../tools/types/files.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

describe('generated types', () => {
  it('are current', async () => {
    for (const [path, text] of await generatedFiles()) {
      const file = join(root, path)
      expect(existsSync(file) && readFileSync(file, 'utf8') === text, `${path}: run npm run generate`).equal(true)
    }
  })

  it('are all that is in folders of generated code', async () => {
    const files = globSync('{lib,plugins}/**/generated/*', { cwd: root })
    expect(files.toSorted()).deep.equal([...(await generatedFiles()).keys()].toSorted())
  })
})
