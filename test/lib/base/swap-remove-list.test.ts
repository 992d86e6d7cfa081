import { getHeapSpaceStatistics } from 'node:v8'
import { expect } from 'chai'
import { type ListMember, SwapRemoveList } from '../../../lib/base/swap-remove-list.ts'
import { collectYoungGarbage } from '../../support/garbage.ts'

const element = (name = ''): ListMember & { readonly name: string } => ({ listIndex: -1, name })
type Element = ReturnType<typeof element>

describe('base/swap-remove-list', () => {
  it('contains what was added and not deleted', () => {
    const list = new SwapRemoveList<Element>()
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(element) as [Element, Element, Element, Element]
    const names = () =>
      list
        .values()
        .map(({ name }) => name)
        .sort()
        .join('')
    for (const one of [a, b, c]) list.add(one)
    expect([list.size, names()]).deep.equal([3, 'abc'])
    list.delete(a)
    list.delete(a)
    list.delete(d)
    expect([list.size, names(), a.listIndex]).deep.equal([2, 'bc', -1])
    list.add(d)
    list.delete(c)
    list.delete(b)
    expect([list.size, names()]).deep.equal([1, 'd'])
    list.delete(d)
    list.add(a)
    expect([list.size, names()]).deep.equal([1, 'a'])
  })

  it('may be changed during an iteration', () => {
    const list = new SwapRemoveList<Element>()
    for (let i = 0; i < 10; i++) list.add(element())
    let seen = 0
    for (const one of list.values()) {
      seen++
      list.delete(one)
    }
    expect([seen, list.size]).deep.equal([10, 0])
  })

  it('does not promote short-lived elements to the old generation, as a Set does', () => {
    const oldBytes = () =>
      getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')!.space_used_size
    /** Bytes by which the old generation grows while 2,000 elements of 4 KB are added and removed, 20 at a time. */
    const grown = (list: { add(one: Element): void; delete(one: Element): void }) => {
      const held = Array.from({ length: 20 }, () => element())
      for (const one of held) list.add(one)
      // Twice, so that the list itself is old.
      collectYoungGarbage()
      collectYoungGarbage()
      const before = oldBytes()
      for (let i = 0; i < 2000; i++) {
        const one = Object.assign(element(), { content: new Array<number>(512).fill(i) })
        list.add(one)
        list.delete(held[i % 20]!)
        held[i % 20] = one
        if (i % 200 === 0) collectYoungGarbage()
      }
      for (const one of held) list.delete(one)
      return oldBytes() - before
    }
    expect(grown(new SwapRemoveList<Element>())).lessThan(grown(new Set<Element>()) / 2)
  })
})
