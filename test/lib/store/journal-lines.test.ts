import { crc32 } from 'node:zlib'
import { expect } from 'chai'
import { encode, HEADER, portionsOf, readLines, toLines } from '../../../lib/store/journal-lines.ts'
import { makeRecord } from '../../support/record.ts'

const line = (value: unknown) => {
  const json = JSON.stringify(value)
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`
}

const read = (text: string | Buffer) => readLines(Buffer.from(text))

describe('journal lines', () => {
  const records = [
    makeRecord({ request_tags: ['a', 'b'] }),
    makeRecord({ error_message: 'é – 😀 \n " \\ \0 \u2028' }),
    makeRecord({ model_requested: null, temperature: 0 }),
  ]
  const text = HEADER + records.map(encode).join('')

  it('are read back as records', () => {
    expect(read(text)).deep.equal({ records, corrupt: 0 })
  })

  it('are less than half as long as the JSON of their records', () => {
    for (const record of records) expect(encode(record).indexOf('\n')).equal(encode(record).length - 1)
    expect(encode(records[0]!).length).lessThan(JSON.stringify(records[0]).length / 2)
  })

  it('are read up to one that was cut off', () => {
    const bytes = Buffer.from(text)
    const ends = [...bytes.entries()].filter(([, byte]) => byte === 10).map(([at]) => at + 1)
    for (let length = 0; length <= bytes.length; length++) {
      const whole = Math.max(0, ends.filter(end => end <= length).length - 1)
      expect(read(bytes.subarray(0, length))).deep.equal({ records: records.slice(0, whole), corrupt: 0 })
    }
  })

  it('are skipped and counted if they were changed, and the ones after them are read', () => {
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

  it('are readable although the first line of the segment is damaged', () => {
    expect(read(`damaged\n${records.map(encode).join('')}`)).deep.equal({ records, corrupt: 1 })
  })

  it('are readable by a version that knows other members', () => {
    const older = line({ journal: 1, members: ['status_code', 'gone', 'id'] }) + line([404, 'x', 'some-id'])
    const [record] = read(older).records
    expect(record).include({ id: 'some-id', status_code: 404, surface: null, zdr: null })
    expect(record).not.property('gone')
  })

  it('are damaged if they have another number of values than the first line', () => {
    expect(read(line({ journal: 1, members: ['id'] }) + line(['a', 'b'])).corrupt).equal(1)
  })
})

describe('portions of a segment', () => {
  const records = Array.from({ length: 5 }, (_, i) => makeRecord({ user_id: `zoë-${i}` }))
  const all = toLines(records.map(encode))
  const portions = (lines: Buffer, limit: number) => Array.from(portionsOf(lines, limit), portion => read(portion))

  it('have each record once, in order, and can be divided again', () => {
    expect(portions(all, 2).map(({ records }) => records)).deep.equal([
      records.slice(0, 2),
      records.slice(2, 4),
      records.slice(4),
    ])
    expect(portions(all, 5)).deep.equal([{ records, corrupt: 0 }])
    const again = [...portionsOf(all, 3)].flatMap(portion => portions(portion, 2))
    expect(again.map(({ records }) => records.length)).deep.equal([2, 1, 2])
  })

  it('are none without a complete line', () => {
    expect(portions(toLines([]), 2)).deep.equal([])
    expect(portions(Buffer.from(''), 2)).deep.equal([])
    expect(portions(all.subarray(0, HEADER.length + 10), 2)).deep.equal([])
    expect(portions(all.subarray(0, all.length - 1), 10)).deep.equal([{ records: records.slice(0, 4), corrupt: 0 }])
  })

  it('have the members that the first line lists', () => {
    const older = line({ journal: 1, members: ['status_code', 'id'] }) + line([404, 'a']) + line([500, 'b'])
    const found = portions(Buffer.from(older), 1).flatMap(({ records }) => records)
    expect(found.map(({ id, status_code }) => [id, status_code])).deep.equal([
      ['a', 404],
      ['b', 500],
    ])
  })

  it('count a damaged line once, also the first', () => {
    const damaged = Buffer.from(`damaged\n${records.map(encode).join('damaged too\n')}`)
    const found = portions(damaged, 2)
    expect(found.flatMap(({ records }) => records)).deep.equal(records)
    expect(found.reduce((sum, { corrupt }) => sum + corrupt, 0)).equal(5)
  })
})
