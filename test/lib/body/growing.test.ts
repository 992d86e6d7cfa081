import { expect } from 'chai'
import { Growing } from '../../../lib/body/growing.ts'

describe('body/growing', () => {
  it('holds what was written, in its order, however much it is', () => {
    const source = Buffer.from('0123456789'.repeat(2000))
    const growing = new Growing()
    growing.write('[')
    growing.copy(source, 5, 5)
    growing.copy(source, 0, source.length)
    growing.write(',')
    growing.copy(source, 1, 3)
    expect(growing.length).equal(source.length + 4)
    expect(growing.bytes.toString()).equal(`[${source},12`)
  })

  it('begins anew in the same memory', () => {
    const growing = new Growing()
    growing.write('x'.repeat(10_000))
    const { buffer } = growing.bytes
    growing.clear()
    expect(growing.length).equal(0)
    growing.write('abc')
    expect(growing.bytes.toString()).equal('abc')
    expect(growing.bytes.buffer).equal(buffer)
  })
})
