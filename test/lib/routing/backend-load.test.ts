import { expect } from 'chai'
import { BackendLoad, loadedRequest } from '../../../lib/routing/backend-load.ts'

const PACE = () => 20
const streamed = (prefillMs: number, promptTokens = 1000, newTokens = 0) =>
  loadedRequest({ promptTokens, newTokens, prefillMs })

describe('BackendLoad', () => {
  it('is empty at first', () => {
    const load = new BackendLoad(PACE)
    expect([load.wait(0), load.answers, load.promptTokens]).deep.equal([0, 0, 0])
  })

  it('has the queued prefills as wait, less the time since the last answer began', () => {
    const load = new BackendLoad(PACE)
    const first = streamed(100)
    load.sent(first, 0)
    load.sent(streamed(50, 500), 10)
    expect(load.wait(0)).equal(150)
    expect(load.wait(30)).equal(120)
    load.begun(first, 90)
    expect(load.wait(100)).equal(40)
    expect(load.answers).equal(1)
  })

  it('never subtracts more than the oldest prefill, whose answer has not begun', () => {
    const load = new BackendLoad(PACE)
    load.sent(streamed(100, 1000), 0)
    load.sent(streamed(50, 500), 0)
    expect(load.wait(10_000)).equal(50)
  })

  it('removes each request once: at its first token, or at its end', () => {
    const load = new BackendLoad(PACE)
    const [answered, failed] = [streamed(10, 100), streamed(20, 200)]
    load.sent(answered, 0)
    load.sent(failed, 0)
    expect(load.begun(answered, 5)).equal(true)
    expect(load.begun(answered, 6)).equal(false)
    expect([load.answers, load.promptTokens]).deep.equal([1, 300])
    load.ended(failed, 7)
    expect([load.wait(7), load.answers, load.promptTokens]).deep.equal([0, 1, 100])
    load.ended(answered, 8)
    expect([load.answers, load.promptTokens]).deep.equal([0, 0])
  })

  it('counts a reply without a stream as begun when its prefill must be done', () => {
    const load = new BackendLoad(PACE)
    const whole = loadedRequest({ promptTokens: 100, newTokens: 0, prefillMs: 30 }, 30)
    load.sent(whole, 0)
    expect(load.wait(10)).equal(20)
    expect(load.wait(40)).equal(0)
    expect(load.answers).equal(1)
    load.ended(whole, 50)
    expect(load.answers).equal(0)
  })

  it('is settled up to a time if all prompts before are computed or dropped', () => {
    const load = new BackendLoad(PACE)
    const [first, second] = [streamed(10), streamed(20)]
    expect(load.isSettled(0)).equal(true)
    load.sent(first, 4)
    load.sent(second, 8)
    expect([load.isSettled(3), load.isSettled(4)]).deep.equal([true, false])
    load.begun(first, 10)
    expect([load.isSettled(7), load.isSettled(8)]).deep.equal([true, false])
    expect(load.ended(second, 11)).equal(false)
    expect(load.isSettled(8)).equal(true)
    expect(load.ended(first, 12)).equal(true)
    // Other processes do not report when their prompts were sent.
    const other = new BackendLoad(PACE)
    other.sent(streamed(60, 10), 9)
    load.setRemote('b', other.own(9), 9)
    expect(load.isSettled(0)).equal(false)
  })

  it('includes the load of other processes until it is removed', () => {
    const load = new BackendLoad(PACE)
    load.sent(streamed(100, 1000), 0)
    const other = new BackendLoad(PACE)
    const theirs = streamed(40, 20)
    other.sent(streamed(60, 10), 0)
    other.sent(theirs, 0)
    load.setRemote('b', other.own(5), 5)
    expect([load.wait(0), load.promptTokens]).deep.equal([200, 1030])
    load.setRemote('b', undefined, 6)
    expect([load.wait(0), load.promptTokens]).deep.equal([100, 1000])
  })

  it('counts queued requests of all processes', () => {
    const [load, other] = [new BackendLoad(PACE), new BackendLoad(PACE)]
    const first = streamed(10)
    load.sent(first, 0)
    for (let i = 0; i < 3; i++) other.sent(streamed(10), 0)
    load.setRemote('b', other.own(0), 0)
    expect(load.queued).equal(4)
    load.begun(first, 5)
    expect(load.queued).equal(3)
  })

  it('estimates the tokens of answers by their time and the pace of the backend', () => {
    const [load, other] = [new BackendLoad(PACE), new BackendLoad(PACE)]
    const [one, two, theirs] = [streamed(10, 1000, 300), streamed(10, 1000, 200), streamed(10, 500, 100)]
    for (const request of [one, two]) load.sent(request, 0)
    other.sent(theirs, 0)
    load.begun(one, 100)
    load.begun(two, 200)
    other.begun(theirs, 300)
    load.setRemote('b', other.own(300), 300)
    expect(load.answerTokens(500)).equal((400 + 300 + 200) / 20)
    expect(load.heldTokens(500)).equal(600 + 45)
    load.ended(one, 500)
    expect([load.answerTokens(500), load.heldTokens(500)]).deep.equal([25, 325])
    load.ended(two, 500)
    load.setRemote('b', undefined, 500)
    expect([load.answerTokens(500), load.heldTokens(500)]).deep.equal([0, 0])
    expect(new BackendLoad(() => 0).answerTokens(500)).equal(0)
  })

  it('sums over time how long prefills were queued, and the tokens in the cache', () => {
    const load = new BackendLoad(() => 0)
    const [first, second] = [streamed(10, 1000), streamed(10, 500)]
    load.sent(first, 100)
    load.begun(first, 150)
    const before = load.history(150)
    load.sent(second, 250)
    load.begun(second, 280)
    const after = load.history(350)
    expect(after.prefillMs - before.prefillMs).equal(30)
    expect(after.kvTokenMs - before.kvTokenMs).equal(200 * 1000 + 100 * 500)
  })
})
