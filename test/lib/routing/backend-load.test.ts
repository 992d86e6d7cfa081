import { expect } from 'chai'
import { BackendLoad, newQueued } from '../../../lib/routing/backend-load.ts'

const streamed = (prefillMs: number) => newQueued(prefillMs)

describe('BackendLoad', () => {
  it('is empty at first', () => {
    const load = new BackendLoad()
    expect([load.wait(0), load.answers, load.promptTokens]).deep.equal([0, 0, 0])
  })

  it('has the queued prefills as wait, less the time since the last answer began', () => {
    const load = new BackendLoad()
    const first = streamed(100)
    load.sent(first, 1000, 0)
    load.sent(streamed(50), 500, 10)
    expect(load.wait(0)).equal(150)
    expect(load.wait(30)).equal(120)
    load.begun(first, 90)
    expect(load.wait(100)).equal(40)
    expect(load.answers).equal(1)
  })

  it('never subtracts more than the oldest prefill, whose answer has not begun', () => {
    const load = new BackendLoad()
    load.sent(streamed(100), 1000, 0)
    load.sent(streamed(50), 500, 0)
    expect(load.wait(10_000)).equal(50)
  })

  it('removes each request once: at its first token, or at its end', () => {
    const load = new BackendLoad()
    const [answered, failed] = [streamed(10), streamed(20)]
    load.sent(answered, 100, 0)
    load.sent(failed, 200, 0)
    expect(load.begun(answered, 5)).equal(true)
    expect(load.begun(answered, 6)).equal(false)
    expect([load.answers, load.promptTokens]).deep.equal([1, 300])
    load.ended(failed, 200)
    expect([load.wait(7), load.answers, load.promptTokens]).deep.equal([0, 1, 100])
    load.ended(answered, 100)
    expect([load.answers, load.promptTokens]).deep.equal([0, 0])
  })

  it('counts a reply without a stream as begun when its prefill must be done', () => {
    const load = new BackendLoad()
    const whole = newQueued(30, 30)
    load.sent(whole, 100, 0)
    expect(load.wait(10)).equal(20)
    expect(load.wait(40)).equal(0)
    expect(load.answers).equal(1)
    load.ended(whole, 100)
    expect(load.answers).equal(0)
  })

  it('is settled up to a time if all prompts before are computed or dropped', () => {
    const load = new BackendLoad()
    const [first, second] = [streamed(10), streamed(20)]
    expect(load.isSettled(0)).equal(true)
    load.sent(first, 100, 4)
    load.sent(second, 100, 8)
    expect([load.isSettled(3), load.isSettled(4)]).deep.equal([true, false])
    load.begun(first, 10)
    expect([load.isSettled(7), load.isSettled(8)]).deep.equal([true, false])
    expect(load.ended(second, 100)).equal(false)
    expect(load.isSettled(8)).equal(true)
    expect(load.ended(first, 100)).equal(true)
    // Other processes do not report when their prompts were sent.
    const other = new BackendLoad()
    other.sent(streamed(60), 10, 9)
    load.setRemote('b', other.own(9))
    expect(load.isSettled(0)).equal(false)
  })

  it('includes the load of other processes until it is removed', () => {
    const load = new BackendLoad()
    load.sent(streamed(100), 1000, 0)
    const other = new BackendLoad()
    const theirs = streamed(40)
    other.sent(streamed(60), 10, 0)
    other.sent(theirs, 20, 0)
    load.setRemote('b', other.own(5))
    expect([load.wait(0), load.promptTokens]).deep.equal([200, 1030])
    load.setRemote('b', undefined)
    expect([load.wait(0), load.promptTokens]).deep.equal([100, 1000])
  })
})
