import { expect } from 'chai'
import { OutsideMemory } from '../../../lib/base/outside-memory.ts'

const MB = 2 ** 20

describe('base/outside-memory', () => {
  let inUse = 0
  let collections = 0
  let memory: OutsideMemory
  beforeEach(() => {
    inUse = 50
    collections = 0
    memory = new OutsideMemory(
      () => {
        collections++
        inUse += 80
      },
      () => inUse * MB,
    )
    memory.add(16 * MB)
  })

  /** Collections of so many MB that come, of which as many stay. */
  function collectionsOf(come: number, stay = come): number {
    const before = collections
    for (let i = 0; i < come; i++) {
      inUse += stay / come
      memory.add(MB)
    }
    return collections - before
  }

  it('collects for each 128 MB by which memory outside of the heap has grown, and not before', () => {
    expect([collectionsOf(112), collectionsOf(16), collectionsOf(112), collectionsOf(16)]).deep.equal([0, 1, 0, 1])
  })

  it('counts from the least that there has been since', () => {
    expect(collectionsOf(128)).equal(1)
    inUse = 60
    expect([collectionsOf(16), collectionsOf(112), collectionsOf(16)]).deep.equal([0, 0, 1])
  })

  it('collects nothing that the young generation has taken with it', () => {
    expect(collectionsOf(10_000, 0)).equal(0)
  })
})
