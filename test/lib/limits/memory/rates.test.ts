import { expect } from 'chai'
import { MemoryRates } from '../../../../lib/limits/memory/rates.ts'
import { ManualClock } from '../../../support/clock.ts'
import { rateOf } from '../../../support/limits.ts'

describe('MemoryRates', () => {
  it('admits the limit in any minute, exact to a second', () => {
    const clock = new ManualClock()
    const rates = new MemoryRates(clock)
    const LIMIT = 30
    const admitted: number[] = []
    let refused = 0
    // Bursts, pauses and a steady stream, for an hour.
    for (let step = 0; clock.ms < 3_600_000; step++) {
      clock.advance([0, 0, 7, 130, 950, 1000, 3000, step % 50 === 0 ? 70_000 : 0][(step * step + (step >> 3)) % 8]!)
      const before = admitted.at(-LIMIT) ?? Number.NEGATIVE_INFINITY
      if (rates.take(rateOf('a', LIMIT)).allowed) {
        expect(clock.ms - before).least(60_000)
        admitted.push(clock.ms)
      } else {
        expect(clock.ms - before).below(61_000)
        refused++
      }
    }
    expect(admitted.length).above(500)
    expect(refused).above(500)
  })

  it('returns when a refused request may be repeated, and then admits it', () => {
    const clock = new ManualClock()
    clock.ms = 10_400
    const rates = new MemoryRates(clock)
    expect(rates.take(rateOf('a', 2))).deep.equal({ allowed: true, amount: 1, remaining: 1, resetMs: 0, second: 10 })
    clock.advance(5000)
    expect(rates.take(rateOf('a', 2))).deep.equal({ allowed: true, amount: 1, remaining: 0, resetMs: 0, second: 15 })
    const { resetMs } = rates.take(rateOf('a', 2))
    expect(resetMs).equal(70_400 - 15_400)
    clock.advance(resetMs - 1)
    expect(rates.take(rateOf('a', 2)).allowed).equal(false)
    clock.advance(1)
    expect(rates.take(rateOf('a', 2)).allowed).equal(true)
    expect(rates.take(rateOf('a', 2)).allowed).equal(false)
  })

  it('never refuses a client within its rate, and never waits more than a minute', () => {
    const clock = new ManualClock()
    clock.ms = 123
    const rates = new MemoryRates(clock)
    for (let i = 0; i < 200; i++) {
      expect(rates.take(rateOf('a', 20)).allowed).equal(true)
      clock.advance(3000)
    }
    for (let i = 0; i < 20; i++) rates.take(rateOf('b', 20))
    expect(rates.take(rateOf('b', 20)).resetMs).equal(60_000)
  })

  it('refuses without counting', () => {
    const clock = new ManualClock()
    const rates = new MemoryRates(clock)
    rates.take(rateOf('a', 1))
    for (let second = 0; second < 60; second++) {
      expect(rates.take(rateOf('a', 1)).allowed).equal(false)
      clock.advance(1000)
    }
    expect(rates.take(rateOf('a', 1)).allowed).equal(true)
  })

  it('gives back only requests of the last minute, and never more than was counted', () => {
    const clock = new ManualClock()
    const rates = new MemoryRates(clock)
    const early = rates.take(rateOf('a', 2))
    clock.advance(61_000)
    rates.take(rateOf('a', 2))
    rates.giveBack('a', 'x', 'endpoints', early)
    const late = rates.take(rateOf('a', 2))
    expect(late).include({ allowed: true, remaining: 0 })
    for (let i = 0; i < 3; i++) rates.giveBack('a', 'x', 'endpoints', late)
    expect(rates.take(rateOf('a', 2))).include({ allowed: true, remaining: 1 })
  })

  it('drops no requests of the last minute', () => {
    const clock = new ManualClock()
    const rates = new MemoryRates(clock)
    rates.take(rateOf('a', 1))
    clock.advance(59_000)
    rates.sweep()
    expect(rates.take(rateOf('a', 1)).allowed).equal(false)
    clock.advance(10_000)
    rates.sweep()
    expect(rates.take(rateOf('a', 1)).allowed).equal(true)
  })
})
