import { expect } from 'chai'
import { ByteBuffer } from '../../../lib/base/byte-buffer.ts'

describe('base/byte-buffer', () => {
  it('holds what was written, in its order, however much it is', () => {
    const source = Buffer.from('0123456789'.repeat(2000))
    const buffer = new ByteBuffer()
    buffer.write('[')
    buffer.copy(source, 5, 5)
    buffer.copy(source, 0, source.length)
    buffer.write(',')
    buffer.copy(source, 1, 3)
    expect(buffer.length).equal(source.length + 4)
    expect(buffer.bytes.toString()).equal(`[${source},12`)
  })

  it('starts again in the same memory', () => {
    const buffer = new ByteBuffer()
    buffer.write('x'.repeat(10_000))
    const { buffer: memory } = buffer.bytes
    buffer.clear()
    expect(buffer.length).equal(0)
    buffer.write('abc')
    expect(buffer.bytes.toString()).equal('abc')
    expect(buffer.bytes.buffer).equal(memory)
  })
})
