import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
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

  it('accepts directories that others create at the same time', async () => {
    const file = new URL('../../../lib/base/make-directory.ts', import.meta.url).href
    const code = `const { workerData } = require('node:worker_threads')
      import(${JSON.stringify(file)}).then(({ makeDirectory }) => {
        for (let i = 0; i < 300; i++) makeDirectory(workerData + '/' + i + '/b/c/d')
      })`
    const exits = Array.from({ length: 4 }, () => {
      const worker = new Worker(code, { eval: true, workerData: join(base, 'same') })
      return new Promise((resolve, reject) => worker.once('error', reject).once('exit', resolve))
    })
    expect(await Promise.all(exits)).deep.equal([0, 0, 0, 0])
  })

  it('throws if a parent is a file, or takes no directories', () => {
    writeFileSync(join(base, 'file'), '')
    for (const path of [join(base, 'file'), join(base, 'file', 'a'), '/proc/sluiceway', '/proc/sluiceway/a'])
      expect(() => makeDirectory(path), path).throw(/EEXIST|ENOTDIR|ENOENT|EPERM|EACCES/)
  })
})
