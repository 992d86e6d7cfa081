import { expect } from 'chai'
import { Backend } from '../../../lib/backends/backend.ts'
import { leastLoad } from '../../../lib/backends/least-load.ts'
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
