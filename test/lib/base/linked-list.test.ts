import { expect } from 'chai'
import { type Linked, LinkedList } from '../../../lib/base/linked-list.ts'

interface Named extends Linked<Named> {
  readonly name: string
}
const element = (name: string): Named => ({ name, previous: null, next: null, isListed: false })

function names(list: LinkedList<Named>): string {
  let text = ''
  for (let one = list.first; one !== null; one = one.next) text += one.name
  return text
}

describe('base/linked-list', () => {
  it('contains what was added and not deleted, in order', () => {
    const list = new LinkedList<Named>()
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(element) as [Named, Named, Named, Named]
    for (const one of [a, b, c]) list.add(one)
    expect(names(list)).equal('abc')
    expect([list.delete(b), list.delete(b), list.delete(d)]).deep.equal([true, false, false])
    list.add(d)
    expect(names(list)).equal('acd')
    expect([list.delete(a), list.delete(d), names(list)]).deep.equal([true, true, 'c'])
    list.add(a)
    expect([list.delete(c), list.delete(a), list.first]).deep.equal([true, true, null])
    list.add(b)
    expect(names(list)).equal('b')
  })

  it('has no reference from a removed element', () => {
    const list = new LinkedList<Named>()
    const [a, b, c] = ['a', 'b', 'c'].map(element) as [Named, Named, Named]
    for (const one of [a, b, c]) list.add(one)
    list.delete(b)
    expect([b.previous, b.next]).deep.equal([null, null])
  })
})
