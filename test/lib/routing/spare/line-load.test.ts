import { expect } from 'chai'
import { loadedRequest } from '../../../../lib/routing/backend-load.ts'
import { LineLoad } from '../../../../lib/routing/spare/line-load.ts'

describe('LineLoad', () => {
  const line = (prefillMs: number) => loadedRequest({ promptTokens: 1000, newTokens: 1000, prefillMs })

  it('knows the mean rest of a prefill that a request meets, which fades', () => {
    const lines = new LineLoad(() => 10)
    expect(lines.metMs(0)).equal(0)
    lines.sent(50, 40, 0)
    expect(lines.metMs(0)).closeTo(50 ** 2 / 2 / 2000, 1e-9)
    expect(lines.busyShare(0)).closeTo(40 / 2000, 1e-9)
    expect(lines.metMs(2000)).closeTo(50 ** 2 / 2 / 2000 / Math.E, 1e-9)
    lines.sent(50, 40, 2000)
    expect(lines.metMs(2000)).closeTo((50 ** 2 / 2 / 2000) * (1 + 1 / Math.E), 1e-9)
  })

  it('counts a long prefill for the time without others before it', () => {
    const lines = new LineLoad(() => 10)
    const one = line(50)
    lines.load.sent(one, 1000)
    lines.load.begun(one, 1050)
    expect(lines.spanMs(1500)).equal(2000)
    expect(lines.spanMs(11_050)).equal(10_000)
  })

  it('counts interactive requests, and what they lose by evictions', () => {
    const lines = new LineLoad(() => 10)
    expect(lines.interactiveAt).equal(Number.NEGATIVE_INFINITY)
    for (let i = 0; i < 60; i++) lines.interactiveSent(0)
    lines.evicted(600, 0)
    expect(lines.requestsPerMs(0)).closeTo(0.001, 1e-9)
    // 0.6 requests arrive meanwhile, and wait for half of it.
    expect(lines.evictedShare(0)).closeTo((600 + 0.6 * 300) / 60_000, 1e-9)
    expect(lines.delayedPerMs(0)).closeTo(3.2 / 60_000, 1e-9)
    lines.interactiveEnded(500)
    expect(lines.interactiveAt).equal(500)
  })

  it('adds the lines and effects of other processes, until they end', () => {
    const [lines, other] = [new LineLoad(() => 10), new LineLoad(() => 10)]
    const one = line(50)
    other.load.sent(one, 100)
    other.sent(50, 50, 100)
    other.interactiveSent(90)
    other.evicted(60, 100)
    lines.setRemote('b', other.load.own(100), other.effects(100), 100)
    expect(lines.count).equal(1)
    expect(lines.load.queued).equal(1)
    expect(lines.metMs(100)).equal(other.metMs(100))
    expect(lines.metMs(1100)).closeTo(other.metMs(1100), 1e-9)
    expect(lines.busyShare(600)).closeTo(other.busyShare(600), 1e-9)
    expect(lines.requestsPerMs(700)).closeTo(other.requestsPerMs(700), 1e-9)
    expect(lines.evictedShare(700)).closeTo(other.evictedShare(700), 1e-9)
    expect(lines.delayedPerMs(700)).closeTo(other.delayedPerMs(700), 1e-9)
    expect(lines.interactiveAt).equal(90)
    lines.setRemote('b', undefined, undefined, 700)
    expect(lines.count).equal(0)
    expect(lines.metMs(700)).equal(0)
    expect(lines.interactiveAt).equal(Number.NEGATIVE_INFINITY)
  })
})
