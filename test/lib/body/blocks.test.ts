import { expect } from 'chai'
import { Blocks } from '../../../lib/body/blocks.ts'

describe('body/blocks', () => {
  it('joins small pieces and leaves large ones as they are, in their order', () => {
    const pieces = [10, 20_000, 5000, 5000, 0, 60_000, 1].map((length, i) => Buffer.alloc(length, i))
    const blocks = new Blocks()
    for (const piece of pieces) blocks.add(piece)
    const written = blocks.end()
    expect(Buffer.concat(written).equals(Buffer.concat(pieces))).equal(true)
    expect(written.map(({ length }) => length)).deep.equal([10, 20_000, 10_000, 60_000, 1])
    expect(written).include(pieces[1]).include(pieces[5])
  })

  it('makes few pieces of many', () => {
    const blocks = new Blocks()
    for (let i = 0; i < 10_000; i++) blocks.add(Buffer.alloc(100, i))
    const written = blocks.end()
    expect(written.length).below(20)
    expect(Buffer.concat(written).length).equal(1_000_000)
  })

  it('makes nothing of nothing', () => {
    const blocks = new Blocks()
    blocks.add(Buffer.alloc(0))
    expect(blocks.end()).deep.equal([])
  })
})
