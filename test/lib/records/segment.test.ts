import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect } from 'chai'
import { decode, encode, HEADER, OpenSegment, SegmentReader } from '../../../lib/records/segment.ts'
import { makeRecord } from '../../support/record.ts'

const line = (value: unknown) => {
  const json = JSON.stringify(value)
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`
}

function read(text: string | Buffer): { records: ReturnType<SegmentReader['next']>; corrupt: number } {
  const reader = new SegmentReader(Buffer.from(text))
  return { records: reader.next(1000), corrupt: reader.corrupt }
}

describe('journal line', () => {
  const records = [
    makeRecord({ request_tags: ['a', 'b'] }),
    makeRecord({ error_message: 'é – 😀 \n " \\ \0 \u2028' }),
    makeRecord({ model_requested: null, temperature: 0 }),
  ]
  const text = HEADER + records.map(encode).join('')

  it('reads a record back as it was written', () => {
    expect(read(text)).deep.equal({ records, corrupt: 0 })
    expect(decode(encode(records[1]!))).deep.equal(records[1])
  })

  it('is one line, less than half of its JSON', () => {
    for (const record of records) expect(encode(record).indexOf('\n')).equal(encode(record).length - 1)
    expect(encode(records[0]!).length).lessThan(JSON.stringify(records[0]).length / 2)
  })

  it('is read in portions', () => {
    const reader = new SegmentReader(Buffer.from(text))
    expect([reader.next(2), reader.next(2), reader.next(2)]).deep.equal([records.slice(0, 2), records.slice(2), []])
  })

  it('cut off anywhere is no record, and the ones before it are', () => {
    const bytes = Buffer.from(text)
    const ends = [...bytes.entries()].filter(([, byte]) => byte === 10).map(([at]) => at + 1)
    for (let length = 0; length <= bytes.length; length++) {
      const whole = Math.max(0, ends.filter(end => end <= length).length - 1)
      expect(read(bytes.subarray(0, length))).deep.equal({ records: records.slice(0, whole), corrupt: 0 })
    }
  })

  it('that was changed is skipped and counted, and the ones after it are read', () => {
    const bytes = Buffer.from(text)
    for (let at = HEADER.length; at < bytes.length; at += 7) {
      if (bytes[at] === 10) continue
      const damaged = Buffer.from(bytes)
      damaged[at]! ^= 4
      const found = read(damaged)
      expect(found.corrupt).at.least(1)
      expect(records).deep.include.members(found.records)
      expect(found.records).length(2)
    }
  })

  it('is readable although the first line of the segment is damaged', () => {
    expect(read(`damaged\n${records.map(encode).join('')}`)).deep.equal({ records, corrupt: 1 })
  })

  it('is readable by a version that knows other members', () => {
    const older = line({ journal: 1, members: ['status_code', 'gone', 'id'] }) + line([404, 'x', 'some-id'])
    const [record] = read(older).records
    expect(record).include({ id: 'some-id', status_code: 404, surface: null, zdr: null })
    expect(record).not.property('gone')
  })

  it('with another number of values than the segment says is damaged', () => {
    expect(read(line({ journal: 1, members: ['id'] }) + line(['a', 'b'])).corrupt).equal(1)
  })
})

describe('segment', () => {
  let dir = ''
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'segment-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  it('has every append on the disk at once, readable by its owner alone', async () => {
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
