import { expect } from 'chai'
import { BufferPool, POOLED_BYTES } from '../../../lib/body/buffer-pool.ts'

describe('body/buffer-pool', () => {
  it('are reused, the last one released first', () => {
    const pool = new BufferPool()
    const [one, two] = [pool.take(), pool.take()]
    expect(one).not.equal(two)
    expect(one.length).equal(POOLED_BYTES)
    pool.giveBack(two)
    pool.giveBack(one)
    expect(pool.take()).equal(one)
    expect(pool.take()).equal(two)
    expect(pool.take()).not.equal(one)
  })

  it('are kept up to a limit', () => {
    const pool = new BufferPool()
    const taken = Array.from({ length: 100 }, () => pool.take())
    for (const block of taken) pool.giveBack(block)
    const again = new Set(Array.from({ length: 100 }, () => pool.take()))
    expect(taken.filter(block => again.has(block)).length).within(1, 32)
  })
})
