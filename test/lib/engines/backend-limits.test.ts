import { expect } from 'chai'
import { concurrencyOf, retryAfterOf } from '../../../lib/engines/backend-limits.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { model } from '../../support/canonical.ts'

describe('the concurrency of a model', () => {
  const capped = (max_concurrency: number | undefined) => backendConfig({ max_concurrency })

  it('is its own limit, otherwise the sum of its backends', () => {
    const backends = [capped(4), capped(6)]
    expect(concurrencyOf(model({}, { max_concurrency: 3, backends }))).equal(3)
    expect(concurrencyOf(model({}, { backends }))).equal(10)
  })

  it('is 1 if no limit is known', () => {
    expect(concurrencyOf(model({}, { backends: [capped(4), capped(undefined)] }))).equal(1)
    expect(concurrencyOf(model())).equal(1)
  })
})

describe("a backend's Retry-After", () => {
  const read = (value: string, date?: string) =>
    retryAfterOf({ 'retry-after': value, ...(date !== undefined && { date }) })

  it('is whole seconds, at most an hour', () => {
    expect(read('7')).equal(7)
    expect(read('0')).equal(0)
    expect(read('999999999')).equal(3600)
  })

  it("may be a date, relative to the backend's own", () => {
    expect(read('Fri, 06 Nov 2026 10:00:30 GMT', 'Fri, 06 Nov 2026 10:00:00 GMT')).equal(30)
  })

  it('is undefined if it is missing or invalid', () => {
    expect(retryAfterOf({})).equal(undefined)
    for (const value of ['', 'soon', '-1', '1.5', 'Fri, 06 Nov 2026 10:00:30 GMT'])
      expect(read(value), value).equal(undefined)
    expect(read('Fri, 06 Nov 2026 09:00:00 GMT', 'Fri, 06 Nov 2026 10:00:00 GMT')).equal(undefined)
  })
})
