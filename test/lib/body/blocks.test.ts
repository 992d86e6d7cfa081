import { expect } from 'chai'
import { BLOCK_BYTES, Blocks } from '../../../lib/body/blocks.ts'

describe('body/blocks', () => {
  it('are used again, the one that is still warm first', () => {
    const blocks = new Blocks()
    const [one, two] = [blocks.take(), blocks.take()]
    expect(one).not.equal(two)
    expect(one.length).equal(BLOCK_BYTES)
    blocks.giveBack(two)
    blocks.giveBack(one)
    expect(blocks.take()).equal(one)
    expect(blocks.take()).equal(two)
    expect(blocks.take()).not.equal(one)
  })

  it('are not kept without end', () => {
    const blocks = new Blocks()
    const taken = Array.from({ length: 100 }, () => blocks.take())
    for (const block of taken) blocks.giveBack(block)
    const again = new Set(Array.from({ length: 100 }, () => blocks.take()))
    expect(taken.filter(block => again.has(block)).length).within(1, 32)
  })
})
