import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { SegmentReader } from '../../../lib/records/segment-reader.ts'

describe('segment reader', () => {
  let dir = ''
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'segments-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  const fileOf = (text: string) => {
    const path = join(dir, 'segment')
    writeFileSync(path, text)
    return path
  }

  it('reads one after the other, also a shorter, an empty and a long one', async () => {
    const reader = new SegmentReader()
    for (const text of ['wörds\n', 'w\n', '', 'wörds\n'.repeat(2_000_000), 'again']) {
      expect((await reader.read(fileOf(text)))?.toString() === text, `of ${text.length} characters`).equal(true)
    }
  })

  it('keeps its memory, which it shares with other threads', async () => {
    const reader = new SegmentReader()
    const one = (await reader.read(fileOf('one')))!
    const other = (await reader.read(fileOf('other')))!
    expect(one.buffer).instanceOf(SharedArrayBuffer).equal(other.buffer)
  })

  it('says that a file does not exist, and fails where it cannot be read', async () => {
    const reader = new SegmentReader()
    expect(await reader.read(join(dir, 'none'))).equal(undefined)
    const error = await reader.read(dir).catch((error: unknown) => error)
    expect(error).instanceOf(Error).property('code', 'EISDIR')
  })
})
