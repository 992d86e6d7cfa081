import { expect } from 'chai'
import { Backend } from '../../../lib/backends/backend.ts'
import { leastLoad, ModelBackends } from '../../../lib/backends/model-backends.ts'
import { Places } from '../../../lib/backends/places.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { model } from '../../support/canonical.ts'
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

/** How often each backend is chosen out of a thousand times. */
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

describe('backends/model-backends: leastLoad', () => {
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

  it('chooses the less busy of two, for any random numbers', () => {
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

function setUp() {
  const config = model({}, { backends: [backendConfig()] })
  const models = new ModelBackends(config, new Places('model:m', { clock: new ManualClock(), store: null }), 0)
  const request = () => models.admit(() => {}).release()
  const takeAll = (now: number): number => {
    let taken = 0
    while (models.takeRetry(now) && taken < 1000) taken++
    return taken
  }
  return { models, request, takeAll }
}

describe('backends/model-backends: the lease on a model', () => {
  it('counts a request until it is released, once', () => {
    const { models } = setUp()
    let released = 0
    const lease = models.admit(() => void released++)
    expect(models.places.inFlight).equal(1)
    lease.release()
    lease.release()
    expect([models.places.inFlight, released]).deep.equal([0, 1])
  })
})

describe('backends/model-backends: the retry budget', () => {
  it('has a few retries from the start, and no more', () => {
    expect(setUp().takeAll(0)).equal(10)
  })

  it('earns one retry per ten requests', () => {
    const { request, takeAll } = setUp()
    takeAll(0)
    for (let i = 0; i < 9; i++) request()
    expect(takeAll(0)).equal(0)
    for (let i = 0; i < 41; i++) request()
    expect(takeAll(0)).within(4, 5)
  })

  it('limits retries to a tenth when every request fails', () => {
    const { models, request } = setUp()
    let retries = 0
    for (let i = 0; i < 10_000; i++) {
      request()
      if (models.takeRetry(0)) retries++
    }
    expect(retries).within(1000, 1010)
  })

  it('refills the minimum over time', () => {
    const { takeAll } = setUp()
    takeAll(0)
    expect(takeAll(3000)).equal(3)
    expect(takeAll(1_000_000)).equal(10)
  })

  it('accumulates up to a limit', () => {
    const { request, takeAll } = setUp()
    for (let i = 0; i < 100_000; i++) request()
    expect(takeAll(0)).equal(100)
    expect(takeAll(1_000_000)).equal(10)
  })

  it('keeps what it has accumulated', () => {
    const { request, takeAll } = setUp()
    for (let i = 0; i < 1000; i++) request()
    expect(takeAll(1_000_000)).equal(100)
  })
})
