import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { OpenSegment } from '../../../lib/records/segment.ts'
import { encode, HEADER } from '../../../lib/store/journal-lines.ts'
import { makeRecord } from '../../support/record.ts'

describe('segment', () => {
  let dir = ''
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'segment-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  it('writes every append at once, into a file that only its owner can read', async () => {
    const path = join(dir, 'a.log')
    const segment = new OpenSegment(path, 5)
    const line = encode(makeRecord({ user_id: 'zoë' }))
    segment.append(line + line, 2)
    expect(readFileSync(path, 'utf8')).equal(HEADER + line + line)
    expect(segment).include({ records: 2, openedAt: 5, bytes: statSync(path).size })
    expect(statSync(path).mode & 0o777).equal(0o600)
    await segment.close()
  })

  it('is flushed while it is in use', async () => {
    const segment = new OpenSegment(join(dir, 'a.log'), 0)
    segment.append('x\n', 1)
    await segment.flush()
    await segment.flush()
    segment.append('y\n', 1)
    await segment.close()
    expect(readFileSync(join(dir, 'a.log'), 'utf8')).equal(`${HEADER}x\ny\n`)
  })

  it('is never an existing file', async () => {
    const path = join(dir, 'a.log')
    await new OpenSegment(path, 0).close()
    expect(() => new OpenSegment(path, 0)).throw(/EEXIST/)
    expect(existsSync(path)).equal(true)
  })
})
