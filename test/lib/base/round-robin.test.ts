import { expect } from 'chai'
import { RoundRobin } from '../../../lib/base/round-robin.ts'

describe('base/round-robin', () => {
  const takeAll = <T>(all: RoundRobin<T>) => {
    const taken: T[] = []
    while (!all.isEmpty) taken.push(all.take())
    return taken
  }

  it('goes round the accounts, and keeps the order of each', () => {
    const all = new RoundRobin<string>()
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) all.add(name[0]!, name, false)
    expect(takeAll(all)).deep.equal(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
    expect(all.isEmpty).equal(true)
  })

  it('serves an account that comes again after all others', () => {
    const all = new RoundRobin<string>()
    for (const name of ['a1', 'b1']) all.add(name[0]!, name, false)
    expect(all.take()).equal('a1')
    all.add('a', 'a2', false)
    expect(takeAll(all)).deep.equal(['b1', 'a2'])
  })

  it('takes the first of an account before its others, in its turn', () => {
    const all = new RoundRobin<string>()
    for (const name of ['b1', 'a1', 'a2']) all.add(name[0]!, name, false)
    all.add('a', 'a0', true)
    expect(takeAll(all)).deep.equal(['b1', 'a0', 'a1', 'a2'])
  })

  it('forgets accounts of which nothing waits, and none of which something does', () => {
    const all = new RoundRobin<number>()
    for (let i = 0; i < 1000; i++) {
      all.add(`account ${i}`, i, false)
      all.take()
    }
    expect(all.known).most(64)
    const waiting = Array.from({ length: 1000 }, (_, i) => i)
    for (const i of waiting) all.add(`other ${i}`, i, false)
    for (const i of waiting) all.add(`other ${i}`, 1000 + i, false)
    expect(all.known).within(1000, 2100)
    expect(takeAll(all)).deep.equal([...waiting, ...waiting.map(i => 1000 + i)])
    for (let i = 0; i < 3000; i++) {
      all.add(`third ${i}`, i, false)
      all.take()
    }
    expect(all.known).most(64)
  })
})
