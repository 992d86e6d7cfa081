import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { makeDirectory } from '../../../lib/base/make-directory.ts'

describe('makeDirectory()', () => {
  let base: string
  before(() => {
    base = mkdtempSync(join(tmpdir(), 'sluiceway-'))
  })
  after(() => rmSync(base, { recursive: true }))

  it('creates a directory and those above it, and accepts one that exists', () => {
    const path = join(base, 'a', 'b', 'c')
    makeDirectory(path, 0o700)
    makeDirectory(path, 0o700)
    for (const one of [path, join(base, 'a')]) expect(statSync(one).mode & 0o777).equal(0o700)
  })

  it('throws if a parent is a file, or takes no directories', () => {
    writeFileSync(join(base, 'file'), '')
    for (const path of [join(base, 'file'), join(base, 'file', 'a'), '/proc/sluiceway', '/proc/sluiceway/a'])
      expect(() => makeDirectory(path), path).throw(/EEXIST|ENOTDIR|ENOENT|EPERM|EACCES/)
  })
})
