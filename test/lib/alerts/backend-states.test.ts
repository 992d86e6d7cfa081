import { expect } from 'chai'
import { BackendStates } from '../../../lib/alerts/backend-states.ts'

describe('states of backends', () => {
  const of = (isUp: boolean) => [{ model: 'm', address: 'http://a', isUp }]

  it('have the time of the first update in which the backend was down, until it is up again', () => {
    const states = new BackendStates()
    states.update(of(true), 1)
    expect(states.down).deep.equal([])
    for (const now of [2, 3]) states.update(of(false), now)
    expect(states.down).deep.equal([{ model: 'm', address: 'http://a', since: 2 }])
    states.update(of(true), 4)
    states.update(of(false), 5)
    expect(states.down[0]?.since).equal(5)
  })

  it('are forgotten with the backend', () => {
    const states = new BackendStates()
    states.update(of(false), 1)
    states.update([], 2)
    states.update(of(false), 3)
    expect(states.down[0]?.since).equal(3)
  })

  it('are settled when the backend has been up for some time', () => {
    const states = new BackendStates()
    states.update(of(true), 0)
    expect(states.unsettled(10, 9)).lengthOf(1)
    expect(states.unsettled(10, 10)).lengthOf(0)
    states.update(of(false), 11)
    expect(states.unsettled(10, 99)).lengthOf(1)
  })
})
