import { expect } from 'chai'
import fc from 'fast-check'
import { PrefixIndex } from '../../../lib/routing/prefix-index.ts'

/** Hashes of the chunks of a prompt that begins with `name`. They differ from those of every other name. */
function chunks(name: number, count: number): Int32Array {
  return Int32Array.from({ length: 2 * count }, (_, i) =>
    Math.imul(name * 1000 + (i >> 1) + 1, i % 2 === 0 ? 0x9e3779b1 : 0x85ebca6b),
  )
}

describe('PrefixIndex', () => {
  it('finds how many chunks of a prompt are known', () => {
    const index = new PrefixIndex(100)
    expect(index.match(chunks(1, 10), true)).equal(0)
    index.insert(chunks(1, 10), 0)
    for (const count of [0, 1, 5, 10]) expect(index.match(chunks(1, count), true)).equal(count)
    expect(index.match(chunks(1, 30), true)).equal(10)
    expect(index.match(chunks(2, 10), true)).equal(0)
  })

  it('evicts the least recently used chunks, the end of a prompt before its start', () => {
    const index = new PrefixIndex(20)
    index.insert(chunks(1, 10), 0)
    index.insert(chunks(2, 10), 4)
    index.insert(chunks(1, 10), 8)
    index.insert(chunks(3, 4), 12)
    expect(index.size).equal(20)
    expect([1, 2, 3].map(name => index.match(chunks(name, 10), true))).deep.equal([10, 6, 4])
  })

  describe('the chunks of a prompt in flight', () => {
    const slots = (index: PrefixIndex) => [1, 2, 3].map(name => index.match(chunks(name, 10), true))

    it('are not evicted, and become the newest ones when the last request that uses them has ended', () => {
      const index = new PrefixIndex(20)
      const life = index.pin(chunks(1, 10), 0)
      index.pin(chunks(1, 10), 1)
      index.insert(chunks(2, 10), 4)
      index.insert(chunks(3, 10), 8)
      expect(slots(index)).deep.equal([10, 0, 10])
      index.unpin(chunks(1, 10), 12, life)
      index.insert(chunks(2, 10), 16)
      expect(slots(index)).deep.equal([10, 10, 0])
      index.unpin(chunks(1, 10), 20, life)
      index.insert(chunks(3, 10), 24)
      expect(slots(index)).deep.equal([10, 0, 10])
    })

    it('may exceed the capacity', () => {
      const index = new PrefixIndex(5)
      const life = index.pin(chunks(1, 10), 0)
      expect(index.size).equal(10)
      index.unpin(chunks(1, 10), 0, life)
      expect([index.size, index.match(chunks(1, 10), true)]).deep.equal([5, 5])
    })

    it('have no age', () => {
      const index = new PrefixIndex(20)
      const life = index.pin(chunks(1, 5), 0)
      expect([index.oldest(1000), index.age(chunks(1, 5), 4, 1000)]).deep.equal([0, 0])
      index.insert(chunks(2, 5), 400)
      expect(index.oldest(1000)).equal(600)
      index.unpin(chunks(1, 5), 800, life)
      expect([index.oldest(1000), index.age(chunks(1, 5), 4, 1000)]).deep.equal([600, 200])
    })

    it('are removed if the request ends before its prompt is computed, except those that others have used', () => {
      const index = new PrefixIndex(100)
      index.insert(chunks(1, 3), 0)
      const life = index.pin(chunks(1, 10), 9)
      index.insert(chunks(1, 5), 20)
      index.withdraw(chunks(1, 10), 9, life, 3)
      expect([index.match(chunks(1, 10), true), index.size]).deep.equal([5, 5])
      index.insert(chunks(2, 4), 20)
      expect([index.match(chunks(2, 4), true), index.size]).deep.equal([4, 9])
    })

    it('stay while another request in flight uses them', () => {
      const index = new PrefixIndex(100)
      const life = index.pin(chunks(1, 10), 9)
      index.pin(chunks(1, 6), 20)
      index.withdraw(chunks(1, 10), 9, life, 0)
      expect(index.match(chunks(1, 10), true)).equal(6)
    })

    it('of the time before clear() are not released again', () => {
      const index = new PrefixIndex(10)
      const life = index.pin(chunks(1, 5), 0)
      index.clear()
      index.pin(chunks(1, 5), 4)
      index.unpin(chunks(1, 5), 8, life)
      index.withdraw(chunks(1, 5), 0, life, 0)
      index.insert(chunks(2, 10), 12)
      expect(index.match(chunks(1, 5), true)).equal(5)
    })
  })

  it('never overestimates the age of a chunk', () => {
    const index = new PrefixIndex(100)
    index.insert(chunks(1, 1), 6)
    expect([index.age(chunks(1, 1), 0, 7), index.age(chunks(1, 1), 0, 16)]).deep.equal([0, 8])
  })

  it('remembers evicted chunks if configured', () => {
    const index = new PrefixIndex(10, 10)
    index.insert(chunks(1, 10), 0)
    index.insert(chunks(2, 10), 0)
    expect(index.match(chunks(1, 10), true)).equal(0)
    expect(index.match(chunks(1, 10), false)).equal(10)
    index.insert(chunks(3, 10), 0)
    expect(index.match(chunks(1, 10), false)).equal(0)
    index.insert(chunks(2, 10), 0)
    expect(index.match(chunks(2, 10), true)).equal(10)
    expect(index.match(chunks(3, 10), false)).equal(10)
  })

  it('reports ages', () => {
    const index = new PrefixIndex(20)
    expect(index.oldest(1000)).equal(0)
    index.insert(chunks(1, 5), 0)
    index.insert(chunks(2, 5), 400)
    expect(index.oldest(1000)).equal(1000)
    expect(index.age(chunks(2, 5), 4, 1000)).equal(600)
    expect(index.age(chunks(3, 5), 4, 1000)).equal(0)
    expect(index.age(chunks(3, 5), -1, 1000)).equal(0)
  })

  it('can be resized', () => {
    const index = new PrefixIndex(10)
    index.insert(chunks(1, 10), 0)
    index.resize(4, 0)
    expect(index.match(chunks(1, 10), true)).equal(4)
    index.resize(20, 0)
    index.insert(chunks(1, 10), 0)
    index.insert(chunks(2, 10), 0)
    expect(index.size).equal(20)
  })

  it('is empty after clear(), and works again', () => {
    const index = new PrefixIndex(10, 10)
    for (let name = 0; name < 5; name++) index.insert(chunks(name, 7), 0)
    index.clear()
    expect(index.size).equal(0)
    expect(index.match(chunks(4, 7), false)).equal(0)
    index.insert(chunks(4, 7), 0)
    expect(index.match(chunks(4, 7), true)).equal(7)
  })

  it('needs about 40 bytes per chunk, and does not grow beyond its size', () => {
    const index = new PrefixIndex(1640)
    for (let name = 0; name < 1000; name++) index.insert(chunks(name, 40), name)
    expect(index.size).equal(1640)
    expect(index.bytes).below(100_000)
  })

  it('counts the chunks that only lines of batches use', () => {
    const index = new PrefixIndex(4, 4)
    index.insert(chunks(1, 2), 0, true)
    expect(index.lineChunks).equal(2)
    index.insert(chunks(1, 1), 4)
    expect(index.lineChunks).equal(1)
    index.insert(chunks(2, 4), 8)
    expect([index.lineChunks, index.size]).deep.equal([0, 4])
    // An evicted chunk counts for its next user.
    index.unpin(chunks(1, 2), 12, index.pin(chunks(1, 2), 12, true))
    expect(index.lineChunks).equal(2)
    index.clear()
    expect(index.lineChunks).equal(0)
    index.insert(chunks(3, 2), 16)
    expect(index.lineChunks).equal(0)
  })

  it('knows which chunks were used within a time, also of evicted ones', () => {
    const index = new PrefixIndex(2, 10)
    index.insert(chunks(1, 4), 0)
    index.insert(chunks(1, 3), 400)
    index.insert(chunks(2, 2), 800)
    expect(index.match(chunks(1, 4), true)).equal(0)
    expect(index.usedWithin(chunks(1, 4), 0, 4, 900, 1000)).equal(3)
    expect(index.usedWithin(chunks(1, 4), 0, 4, 100, 1000)).equal(0)
    expect(index.usedWithin(chunks(1, 4), 0, 4, 2000, 1000)).equal(4)
  })

  it('is an LRU list after any operations', () => {
    const steps = fc.array(
      fc.record({ name: fc.nat(30), now: fc.nat(1000), size: fc.option(fc.integer({ min: 1, max: 12 }), { freq: 8 }) }),
    )
    fc.assert(
      fc.property(steps, all => {
        const index = new PrefixIndex(8, 4)
        let held = 8
        let list: number[] = []
        for (const { name, now, size } of all) {
          if (size !== null) {
            held = size
            index.resize(held, 4)
            list = list.slice(0, held + 4)
          }
          index.insert(chunks(name, 1), now)
          list = [name, ...list.filter(other => other !== name)].slice(0, held + 4)
        }
        for (let name = 0; name <= 30; name++) {
          const at = list.indexOf(name)
          expect(index.match(chunks(name, 1), false)).equal(at >= 0 ? 1 : 0)
        }
        expect(index.size).most(held)
      }),
    )
  })
})
