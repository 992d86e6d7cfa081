import { expect } from 'chai'
import type { SpendPeriod } from '../../../lib/limits/spend-window.ts'
import { StoredSpend } from '../../../lib/limits/stored-spend.ts'
import { ManualClock } from '../../support/clock.ts'

const HOUR = 3_600_000
const START = Math.floor(new ManualClock().now() / HOUR) * HOUR
const WINDOW = `acme:budget:${HOUR}:${START}:k1`

describe('stored spend', () => {
  it('is read once per window, and cached until the window ends', async () => {
    const asked: SpendPeriod[] = []
    const clock = new ManualClock()
    const spend = new StoredSpend(async period => asked.push(period) && 7, clock)
    const first = spend.of(WINDOW)
    expect(spend.of(WINDOW)).equal(first)
    expect(await first).deep.equal({ granted: 0, charged: 7 })
    expect(spend.of(WINDOW)).deep.equal({ granted: 0, charged: 7 })
    expect(asked).have.length(1)
    expect(asked[0]).include({ account: 'acme', key: 'k1', from: START, to: START + HOUR })
  })

  it('is zero while the store does not answer, and read again later', async () => {
    let fails = true
    const clock = new ManualClock()
    const spend = new StoredSpend(async () => {
      if (fails) throw new Error('no store')
      return 5
    }, clock)
    expect(await spend.of(WINDOW)).deep.equal({ granted: 0, charged: 0 })
    fails = false
    expect(await spend.of(WINDOW)).deep.equal({ granted: 0, charged: 0 })
    clock.advance(5001)
    expect(await spend.of(WINDOW)).deep.equal({ granted: 0, charged: 5 })
  })

  it('is zero for names that are no window', () => {
    const spend = new StoredSpend(() => Promise.reject(new Error('asked')), new ManualClock())
    expect(spend.of('acme')).deep.equal({ granted: 0, charged: 0 })
  })
})
