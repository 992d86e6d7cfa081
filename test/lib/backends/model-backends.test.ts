import { expect } from 'chai'
import { Backend } from '../../../lib/backends/backend.ts'
import { leastLoad, RetryBudget } from '../../../lib/backends/model-backends.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { ManualClock } from '../../support/clock.ts'

function backends(...weights: readonly number[]): Backend[] {
  const clock = new ManualClock()
  return weights.map(weight => new Backend('m', backendConfig({ weight }), clock))
}

/** Evenly spread numbers instead of random ones, so that the distribution is the same in every run. */
function spread(): () => number {
  let n = 0
  return () => {
    n += 0.618_033_988_749_895
    return n % 1
  }
}

/** How often each is chosen in a thousand times. */
function shares(among: readonly Backend[], use: (backend: Backend) => void = () => {}): number[] {
  const random = spread()
  const counts = among.map(() => 0)
  for (let i = 0; i < 1000; i++) {
    const backend = leastLoad(among, random)
    use(backend)
    counts[among.indexOf(backend)]!++
  }
  return counts
}

describe('leastLoad', () => {
  it('follows the weights when nothing is in flight', () => {
    const [a, b] = shares(backends(3, 1))
    expect(a).within(650, 850)
    expect(b).within(150, 350)
  })

  it('balances requests in flight by weight', () => {
    const [a, b] = shares(backends(3, 1), backend => backend.acquire())
    expect(a).within(740, 760)
    expect(b).within(240, 260)
  })

  it('takes the less busy of two, however the draw falls', () => {
    for (const random of [() => 0, () => 1 - Number.EPSILON, Math.random]) {
      const both = backends(1, 1)
      const busy = leastLoad(both, random)
      busy.acquire()
      for (let i = 0; i < 20; i++) expect(leastLoad(both, random)).not.equal(busy)
    }
  })

  it('accepts any random number from 0 to 1, and a single backend', () => {
    for (const random of [() => 0, () => 1 - Number.EPSILON, () => 1]) {
      const three = backends(1, 1, 1)
      expect(three).include(leastLoad(three, random))
      expect(leastLoad(three.slice(0, 1), random)).equal(three[0])
    }
  })
})

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
