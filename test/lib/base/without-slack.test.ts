import { expect } from 'chai'
import { withoutSlack } from '../../../lib/base/without-slack.ts'

describe('base/without-slack', () => {
  const read = Buffer.from(Uint8Array.from({ length: 65_536 }, (_, i) => i))

  it('copies a part of what has been read into memory of its own', () => {
    for (const part of [
      read.subarray(60_000),
      read.subarray(0, 1),
      read.subarray(10_000, 59_152),
      read.subarray(7, 7),
    ]) {
      const own = withoutSlack(part)
      expect(own).deep.equal(part)
      expect(own.buffer.byteLength).equal(part.length)
    }
  })

  it('copies nothing where that would save less than a quarter', () => {
    for (const part of [read, read.subarray(16_383), read.subarray(0, 49_153)]) expect(withoutSlack(part)).equal(part)
  })
})
