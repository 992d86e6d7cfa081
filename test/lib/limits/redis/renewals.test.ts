import { expect } from 'chai'
import { Renewals } from '../../../../lib/limits/redis/renewals.ts'

describe('Renewals', () => {
  it('are due at each interval until they are deleted', () => {
    const renewals = new Renewals<number>(100)
    renewals.add('x', 'a', 1, 0)
    renewals.add('y', 'b', 2, 10)
    renewals.add('x', 'c', 3, 20)
    renewals.add('x', 'd', 4, 90)
    expect(renewals.due(99)).deep.equal(new Map())
    expect(renewals.due(130)).deep.equal(
      new Map([
        [
          'x',
          [
            ['a', 1],
            ['c', 3],
          ],
        ],
        ['y', [['b', 2]]],
      ]),
    )
    expect(renewals.due(130)).deep.equal(new Map())
    expect(renewals.delete('c')).equal(3)
    expect(renewals.delete('c')).equal(undefined)
    expect(renewals.due(200)).deep.equal(new Map([['x', [['d', 4]]]]))
    expect(renewals.due(230)).deep.equal(
      new Map([
        ['x', [['a', 1]]],
        ['y', [['b', 2]]],
      ]),
    )
  })

  it('are due on time after another one was added again', () => {
    const renewals = new Renewals<number>(100)
    renewals.add('x', 'a', 1, 0)
    renewals.add('x', 'b', 2, 10)
    renewals.add('x', 'a', 1, 90)
    expect(renewals.due(120)).deep.equal(new Map([['x', [['b', 2]]]]))
  })

  it('are all due after dueNow()', () => {
    const renewals = new Renewals<number>(100)
    renewals.add('x', 'a', 1, 0)
    renewals.add('x', 'b', 2, 10)
    renewals.dueNow()
    const both = [
      ['a', 1],
      ['b', 2],
    ]
    expect(renewals.due(11)).deep.equal(new Map([['x', both]]))
    expect(renewals.due(110)).deep.equal(new Map())
    expect(renewals.due(111)).deep.equal(new Map([['x', both]]))
  })
})
