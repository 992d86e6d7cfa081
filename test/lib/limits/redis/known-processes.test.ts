import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { knownProcesses } from '../../../../lib/limits/redis/known-processes.ts'
import { temporaryDirectory } from '../../../support/cli.ts'

describe('the known number of processes', () => {
  const directory = temporaryDirectory()

  it('outlives a process', () => {
    const dir = directory()
    const known = knownProcesses(dir)
    expect(known.last).equal(undefined)
    known.keep(4)
    known.keep(4)
    expect(knownProcesses(dir).last).equal(4)
    known.keep(2)
    expect([known.last, knownProcesses(dir).last]).deep.equal([2, 2])
    expect(readdirSync(dir)).deep.equal(['limits-processes'])
  })

  it('is not known of a file that holds none', () => {
    const dir = directory()
    for (const text of ['', 'x', '0', '1.5', '-3']) {
      writeFileSync(join(dir, 'limits-processes'), text)
      expect(knownProcesses(dir).last, text).equal(undefined)
    }
  })

  it('is kept in memory where the disk cannot be written', () => {
    const known = knownProcesses(join(directory(), 'missing'))
    known.keep(3)
    expect(known.last).equal(3)
  })
})
