import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { TestFiles } from '../../../tools/tests/files.ts'
import { temporaryDirectory } from '../../support/cli.ts'

const FAST = ['test/a.test.ts', 'test/lib/b.test.ts']
const SLOW = ['test/e2e/c.test.ts', 'test/lib/d.slow.test.ts']

describe('files of a test run', () => {
  const dir = temporaryDirectory()
  const filesOf = (...names: readonly string[]) => {
    for (const name of names) {
      mkdirSync(dirname(join(dir(), name)), { recursive: true })
      writeFileSync(join(dir(), name), '')
    }
    return new TestFiles(dir())
  }

  it('are those that need no processes, services or seconds, or all of them', () => {
    const files = filesOf(...FAST, ...SLOW, 'test/support/no-test.ts', 'lib/no.test.ts')
    expect(files.list('fast')).have.members(FAST)
    expect(files.list('all')).have.members([...FAST, ...SLOW])
  })

  it('begin with those that took longest before; what was not measured yet is between', () => {
    const files = filesOf(...FAST, ...SLOW)
    expect(files.list('all')).deep.equal([...SLOW, ...FAST])
    files.remember(new Map([[join(dir(), FAST[1]!), 30_000]]))
    files.remember(new Map([[join(dir(), SLOW[0]!), 2.4]]))
    expect(new TestFiles(dir()).list('all')).deep.equal([FAST[1], SLOW[1], SLOW[0], FAST[0]])
  })
})
