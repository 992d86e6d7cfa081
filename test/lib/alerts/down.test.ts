import { expect } from 'chai'
import { DownSince } from '../../../lib/alerts/down.ts'

describe('since when backends are down', () => {
  const of = (isUp: boolean) => [{ model: 'm', address: 'http://a', isUp }]

  it('is the first look at which they were, until they are up again', () => {
    const down = new DownSince()
    down.look(of(true), 1)
    expect(down.down).deep.equal([])
    for (const now of [2, 3]) down.look(of(false), now)
    expect(down.down).deep.equal([{ model: 'm', address: 'http://a', since: 2 }])
    down.look(of(true), 4)
    down.look(of(false), 5)
    expect(down.down[0]?.since).equal(5)
  })

  it('is forgotten with the backend', () => {
    const down = new DownSince()
    down.look(of(false), 1)
    down.look([], 2)
    down.look(of(false), 3)
    expect(down.down[0]?.since).equal(3)
  })

  it('is over only when they have been up for some time', () => {
    const down = new DownSince()
    down.look(of(true), 0)
    expect(down.unsettled(10, 9)).lengthOf(1)
    expect(down.unsettled(10, 10)).lengthOf(0)
    down.look(of(false), 11)
    expect(down.unsettled(10, 99)).lengthOf(1)
  })
})
