import { expect } from 'chai'
import { FairQueue, type QueueEntry } from '../../../../lib/backends/queue/fair-queue.ts'
import { ServedTokens } from '../../../../lib/backends/queue/served-tokens.ts'

const NONE = new Set<boolean>()

function entry(account: string, since: number, more: Partial<QueueEntry> = {}): QueueEntry {
  return { account, priority: 0, zdr: false, since, agedAt: since + 1000, ...more }
}

function setUp(...entries: readonly QueueEntry[]) {
  const served = new ServedTokens()
  const queue = new FairQueue(served)
  for (const one of entries) queue.add(one)
  /** Removes all entries in order, each at a cost of a thousand tokens. */
  const order = (now = 0, full = NONE) => {
    const accounts: string[] = []
    for (let next = queue.next(now, full); next !== undefined; next = queue.next(now, full)) {
      queue.remove(next)
      served.settle(served.begin(next.account, 0), 1000, 0)
      accounts.push(next.account + next.since)
    }
    return accounts.join(' ')
  }
  return { queue, served, order }
}

describe('backends/queue/fair-queue', () => {
  it('serves accounts in turn, and the requests of each in order of arrival', () => {
    const { order } = setUp(entry('a', 1), entry('a', 2), entry('a', 3), entry('b', 4), entry('b', 5), entry('c', 6))
    expect(order()).equal('a1 b4 c6 a2 b5 a3')
  })

  it('prefers the account that was served less', () => {
    const { served, order } = setUp(entry('a', 1), entry('b', 2), entry('b', 3))
    served.settle(served.begin('a', 0), 1500, 0)
    expect(order()).equal('b2 b3 a1')
  })

  it('serves higher priorities first, until a request has aged', () => {
    const entries = [entry('low', 1), entry('high', 500, { priority: 5 }), entry('high', 501, { priority: 5 })]
    expect(setUp(...entries).order()).equal('high500 high501 low1')
    // The first entry now has the same priority, and is older.
    expect(setUp(...entries).order(1001)).equal('low1 high500 high501')
  })

  it('skips requests whose backends have no capacity', () => {
    const { queue, order } = setUp(entry('a', 1, { zdr: true }), entry('a', 2), entry('b', 3))
    expect(queue.has(true)).equal(true)
    expect(order(0, new Set([true]))).equal('a2 b3')
    expect(queue.size).equal(1)
    expect(order()).equal('a1')
    expect(queue.has(true)).equal(false)
  })

  it('displaces the youngest request of the account with the most requests', () => {
    const youngest = entry('many', 4, { zdr: true })
    const { queue } = setUp(entry('many', 1), entry('many', 2), youngest, entry('few', 5))
    expect(queue.displaced('new')).equal(youngest)
    expect(queue.displaced('few')).equal(youngest)
    expect(queue.displaced('many')).equal(undefined)
    queue.remove(youngest)
    // With two and two, no account has more than the new request's would have.
    expect(queue.displaced('few')).equal(undefined)
  })
})
