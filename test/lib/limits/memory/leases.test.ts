import { expect } from 'chai'
import { MemoryLeases } from '../../../../lib/limits/memory/leases.ts'

describe('MemoryLeases', () => {
  it('count until they are released, also with a lower limit', () => {
    const leases = new MemoryLeases()
    for (const id of ['a', 'b', 'c']) expect(leases.take({ account: 'x', id, limit: 3 })).equal(true)
    expect(leases.take({ account: 'x', id: 'd', limit: 2 })).equal(false)
    leases.release('x', 'a')
    expect(leases.take({ account: 'x', id: 'd', limit: 2 })).equal(false)
    leases.release('x', 'b')
    expect(leases.take({ account: 'x', id: 'd', limit: 2 })).equal(true)
  })
})
