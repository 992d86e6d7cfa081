import { expect } from 'chai'
import { ByteBuffer } from '../../../lib/base/byte-buffer.ts'

describe('base/byte-buffer', () => {
  it('has all pieces in their order, whatever their size', () => {
    const source = Buffer.from('0123456789'.repeat(2000))
    const buffer = new ByteBuffer()
    for (const piece of [Buffer.from('['), Buffer.alloc(0), source, Buffer.from(',12')]) buffer.copy(piece)
    expect(buffer.length).equal(source.length + 4)
    expect(buffer.bytes.toString()).equal(`[${source},12`)
  })

  it('uses the memory of the first appended piece and does not write into it', () => {
    const whole = Buffer.from('abcdef')
    const buffer = new ByteBuffer()
    buffer.append(whole.subarray(0, 3))
    expect(buffer.bytes.buffer).equal(whole.buffer)
    buffer.append(Buffer.from('xyz'))
    expect([buffer.bytes.toString(), whole.toString()]).deep.equal(['abcxyz', 'abcdef'])
  })
})
