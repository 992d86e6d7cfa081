import { expect } from 'chai'
import { RetryBudget } from '../../../lib/backends/retry-budget.ts'

function takeAll(budget: RetryBudget, now: number): number {
  let taken = 0
  while (budget.take(now) && taken < 1000) taken++
  return taken
}

describe('RetryBudget', () => {
  it('has a few retries from the start, and no more', () => {
    expect(takeAll(new RetryBudget(0), 0)).equal(10)
  })

  it('earns one for every ten requests', () => {
    const budget = new RetryBudget(0)
    takeAll(budget, 0)
    for (let i = 0; i < 9; i++) budget.request()
    expect(takeAll(budget, 0)).equal(0)
    for (let i = 0; i < 41; i++) budget.request()
    expect(takeAll(budget, 0)).within(4, 5)
  })

  it('keeps retries at a tenth when every request fails', () => {
    const budget = new RetryBudget(0)
    let retries = 0
    for (let i = 0; i < 10_000; i++) {
      budget.request()
      if (budget.take(0)) retries++
    }
    expect(retries).within(1000, 1010)
  })

  it('regains the minimum with time', () => {
    const budget = new RetryBudget(0)
    takeAll(budget, 0)
    expect(takeAll(budget, 3000)).equal(3)
    expect(takeAll(budget, 1_000_000)).equal(10)
  })

  it('accumulates up to a limit', () => {
    const budget = new RetryBudget(0)
    for (let i = 0; i < 100_000; i++) budget.request()
    expect(takeAll(budget, 0)).equal(100)
    expect(takeAll(budget, 1_000_000)).equal(10)
  })

  it('does not lose what it accumulated when time passes', () => {
    const budget = new RetryBudget(0)
    for (let i = 0; i < 1000; i++) budget.request()
    expect(takeAll(budget, 1_000_000)).equal(100)
  })
})
