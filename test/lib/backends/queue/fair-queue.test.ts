import { expect } from 'chai'
import { FairQueue, type Place } from '../../../../lib/backends/queue/fair-queue.ts'
import { ServedTokens } from '../../../../lib/backends/queue/served-tokens.ts'

const NONE = new Set<boolean>()

function place(account: string, since: number, more: Partial<Place> = {}): Place {
  return { account, priority: 0, zdr: false, since, agedAt: since + 1000, ...more }
}

function setUp(...places: readonly Place[]) {
  const served = new ServedTokens()
  const queue = new FairQueue(served)
  for (const one of places) queue.add(one)
  /** Takes all in order, each at a cost of a thousand tokens. */
  const order = (now = 0, noRoom = NONE) => {
    const accounts: string[] = []
    for (let next = queue.next(now, noRoom); next !== undefined; next = queue.next(now, noRoom)) {
      queue.remove(next)
      served.settle(served.begin(next.account, 0), 1000, 0)
      accounts.push(next.account + next.since)
    }
    return accounts.join(' ')
  }
  return { queue, served, order }
}

describe('FairQueue', () => {
  it('serves accounts in turn, and each in the order in which it came', () => {
    const { order } = setUp(place('a', 1), place('a', 2), place('a', 3), place('b', 4), place('b', 5), place('c', 6))
    expect(order()).equal('a1 b4 c6 a2 b5 a3')
  })

  it('prefers the account that was served less', () => {
    const { served, order } = setUp(place('a', 1), place('b', 2), place('b', 3))
    served.settle(served.begin('a', 0), 1500, 0)
    expect(order()).equal('b2 b3 a1')
  })

  it('serves higher priorities first, until a request has waited long', () => {
    const places = [place('low', 1), place('high', 500, { priority: 5 }), place('high', 501, { priority: 5 })]
    expect(setUp(...places).order()).equal('high500 high501 low1')
    // Of the same priority by now, and older.
    expect(setUp(...places).order(1001)).equal('low1 high500 high501')
  })

  it('passes over those for whose backends there is no room', () => {
    const { queue, order } = setUp(place('a', 1, { zdr: true }), place('a', 2), place('b', 3))
    expect(queue.has(true)).equal(true)
    expect(order(0, new Set([true]))).equal('a2 b3')
    expect(queue.size).equal(1)
    expect(order()).equal('a1')
    expect(queue.has(true)).equal(false)
  })

  it('makes the account with the most waiting give up its youngest', () => {
    const youngest = place('many', 4, { zdr: true })
    const { queue } = setUp(place('many', 1), place('many', 2), youngest, place('few', 5))
    expect(queue.displaced('new')).equal(youngest)
    expect(queue.displaced('few')).equal(youngest)
    expect(queue.displaced('many')).equal(undefined)
    queue.remove(youngest)
    // Two and two: nobody has more than the new one would have.
    expect(queue.displaced('few')).equal(undefined)
  })
})
