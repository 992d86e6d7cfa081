import { expect } from 'chai'
import type { PursePeriod } from '../../../lib/limits/purse.ts'
import { Spendings } from '../../../lib/limits/spendings.ts'
import { ManualClock } from '../../support/clock.ts'

const HOUR = 3_600_000
const START = Math.floor(new ManualClock().now() / HOUR) * HOUR
const PURSE = `acme:budget:${HOUR}:${START}:k1`

describe('what was spent', () => {
  it('is read once for a window of a budget, and known until it ends', async () => {
    const asked: PursePeriod[] = []
    const clock = new ManualClock()
    const spendings = new Spendings(async period => asked.push(period) && 7, clock)
    const first = spendings.of(PURSE)
    expect(spendings.of(PURSE)).equal(first)
    expect(await first).deep.equal({ granted: 0, charged: 7 })
    expect(spendings.of(PURSE)).deep.equal({ granted: 0, charged: 7 })
    expect(asked).deep.equal([{ account: 'acme', key: 'k1', from: START, to: START + HOUR }])
  })

  it('is nothing while the store does not answer, which is asked again later', async () => {
    let fails = true
    const clock = new ManualClock()
    const spendings = new Spendings(async () => {
      if (fails) throw new Error('no store')
      return 5
    }, clock)
    expect(await spendings.of(PURSE)).deep.equal({ granted: 0, charged: 0 })
    fails = false
    expect(await spendings.of(PURSE)).deep.equal({ granted: 0, charged: 0 })
    clock.advance(5001)
    expect(await spendings.of(PURSE)).deep.equal({ granted: 0, charged: 5 })
  })

  it('is nothing for what is no budget', () => {
    const spendings = new Spendings(() => Promise.reject(new Error('asked')), new ManualClock())
    expect(spendings.of('acme')).deep.equal({ granted: 0, charged: 0 })
  })
})
