import { expect } from 'chai'
import { ServedTokens } from '../../../../lib/backends/queue/served-tokens.ts'

describe('backends/queue/served-tokens', () => {
  it('counts a request by its size at once, then by its usage', () => {
    const served = new ServedTokens()
    const charge = served.begin('a', 400)
    expect(served.of('a')).equal(100 + 2 * 256)
    served.settle(charge, 90, 10)
    expect(served.of('a')).equal(110)
    served.settle(charge, 90, 20)
    expect(served.of('a')).equal(130)
  })

  it('learns the mean output', () => {
    const served = new ServedTokens()
    for (let i = 0; i < 200; i++) served.settle(served.begin('a', 0), 0, 10)
    const before = served.of('b')
    served.begin('b', 0)
    expect(served.of('b') - before).closeTo(20, 1)
  })

  it('gives an account no claim for the time in which it sent no requests', () => {
    const served = new ServedTokens()
    for (let i = 0; i < 10; i++) served.settle(served.begin('busy', 0), 1000, 0)
    served.join('new', [])
    expect(served.of('new')).equal(9000)
    served.join('newer', ['busy', 'new'])
    expect(served.of('newer')).equal(9000)
    // Waiting again does not clear a debt.
    served.join('busy', ['new'])
    expect(served.of('busy')).equal(10_000)
  })

  it('forgets accounts without a claim, but not those that wait', () => {
    const served = new ServedTokens()
    served.settle(served.begin('waits', 0), 5, 0)
    for (let i = 0; i < 30_000; i++) served.settle(served.begin(`a${i}`, 0), 1, 0)
    const before = served.of('waits')
    served.settle(served.begin('other', 0), 100, 0)
    served.trim(new Set(['waits']))
    expect(served.of('waits')).equal(before)
    // Like a new account.
    expect(served.of('a0')).equal(served.of('unknown'))
  })
})
