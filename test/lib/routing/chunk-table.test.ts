import { expect } from 'chai'
import fc from 'fast-check'
import { ChunkTable, NONE } from '../../../lib/routing/chunk-table.ts'

describe('ChunkTable', () => {
  it('finds what was taken and not removed, after any operations', () => {
    // Few different hashes, so that many collide.
    const steps = fc.array(fc.record({ high: fc.nat(7), low: fc.nat(60), isRemoval: fc.boolean() }), { maxLength: 400 })
    fc.assert(
      fc.property(steps, all => {
        const table = new ChunkTable()
        const slots = new Map<string, number>()
        for (const { high, low, isRemoval } of all) {
          const key = `${high} ${low}`
          const slot = slots.get(key)
          expect(table.find(high, low)).equal(slot ?? NONE)
          if (slot === undefined) slots.set(key, table.take(high, low))
          else if (isRemoval) {
            table.remove(slot)
            slots.delete(key)
          }
        }
        expect(new Set(slots.values()).size).equal(slots.size)
        for (const [key, slot] of slots) {
          const [high, low] = key.split(' ').map(Number)
          expect(table.find(high!, low!)).equal(slot)
        }
      }),
    )
  })

  it('uses free slots again, and grows by half', () => {
    const table = new ChunkTable()
    const slots = Array.from({ length: 256 }, (_, i) => table.take(i * 7919, i))
    expect(table.slots).equal(256)
    table.remove(slots[17]!)
    expect(table.take(1, 2)).equal(slots[17])
    table.take(3, 4)
    expect(table.slots).equal(384)
    expect(table.find(9 * 7919, 9)).equal(slots[9])
  })

  it('is empty after clear(), and keeps its memory', () => {
    const table = new ChunkTable()
    table.take(1, 2)
    const { bytes } = table
    table.clear()
    expect([table.find(1, 2), table.bytes]).deep.equal([NONE, bytes])
  })
})
