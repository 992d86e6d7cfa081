import { expect } from 'chai'
import { MemorySpendLimits } from '../../../../lib/limits/memory/spend-limits.ts'
import { ManualClock } from '../../../support/clock.ts'
import { spendOf } from '../../../support/request-limits.ts'

const HOUR = 3_600_000
const START = Math.floor(new ManualClock().now() / HOUR) * HOUR

describe('MemorySpendLimits', () => {
  it('start from zero in each window, and settle a request in its first window', async () => {
    const clock = new ManualClock()
    const end = START + HOUR
    const limits = new MemorySpendLimits(clock, { of: () => ({ granted: 0, charged: 0 }) })
    const first = spendOf('a', 1000)
    const state = await limits.reserve(first)
    expect(state).include({ allowed: true, remainingMicrocents: 0, end })
    clock.advance(end - clock.now())
    limits.settle('a', first.id, state, 1000)
    expect(await limits.reserve(spendOf('a', 1000))).include({ allowed: true, end: end + HOUR })
  })

  it('include the sum of the store', async () => {
    const asked: string[] = []
    const spent = {
      of: async (window: string) => {
        asked.push(window)
        return { granted: 0, charged: 900 }
      },
    }
    const limits = new MemorySpendLimits(new ManualClock(), spent)
    expect(await limits.reserve(spendOf('a', 101, { scope: 'k' }))).include({
      allowed: false,
      remainingMicrocents: 100,
    })
    expect(await limits.reserve(spendOf('a', 100, { scope: 'k' }))).include({ allowed: true })
    expect(asked[0]).equal(`a:budget:${HOUR}:${START}:k`)
  })
})
