import { expect } from 'chai'
import { MemoryBudgets } from '../../../../lib/limits/memory/budgets.ts'
import { ManualClock } from '../../../support/clock.ts'
import { budgetOf } from '../../../support/request-limits.ts'

const HOUR = 3_600_000
const START = Math.floor(new ManualClock().now() / HOUR) * HOUR

describe('MemoryBudgets', () => {
  it('begin anew with each window, and settle a request in the one in which it began', async () => {
    const clock = new ManualClock()
    const end = START + HOUR
    const budgets = new MemoryBudgets(clock, { of: () => ({ granted: 0, charged: 0 }) })
    const first = budgetOf('a', 1000)
    const state = await budgets.reserve(first)
    expect(state).include({ allowed: true, remainingMicrocents: 0, end })
    clock.advance(end - clock.now())
    budgets.settle('a', first.id, state, 1000)
    expect(await budgets.reserve(budgetOf('a', 1000))).include({ allowed: true, end: end + HOUR })
  })

  it('count what the store knows of the window', async () => {
    const asked: string[] = []
    const spent = {
      of: async (purse: string) => {
        asked.push(purse)
        return { granted: 0, charged: 900 }
      },
    }
    const budgets = new MemoryBudgets(new ManualClock(), spent)
    expect(await budgets.reserve(budgetOf('a', 101, { key: 'k' }))).include({
      allowed: false,
      remainingMicrocents: 100,
    })
    expect(await budgets.reserve(budgetOf('a', 100, { key: 'k' }))).include({ allowed: true })
    expect(asked[0]).equal(`a:budget:${HOUR}:${START}:k`)
  })
})
