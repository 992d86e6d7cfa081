import { expect } from 'chai'
import { windowEnd } from '../../../lib/limits/window.ts'

const DAY = 86_400_000

describe('windowEnd', () => {
  it('is the next boundary in UTC', () => {
    const iso = (now: string, windowMs: number) => new Date(windowEnd(Date.parse(now), windowMs)).toISOString()
    expect(iso('2026-03-29T01:59:59.999Z', DAY)).equal('2026-03-30T00:00:00.000Z')
    expect(iso('2026-03-29T00:00:00.000Z', DAY)).equal('2026-03-30T00:00:00.000Z')
    expect(iso('2026-03-28T23:59:59.999Z', DAY)).equal('2026-03-29T00:00:00.000Z')
    expect(iso('2026-03-29T13:37:00Z', 3_600_000)).equal('2026-03-29T14:00:00.000Z')
    // Weeks since the epoch begin on Thursdays.
    expect(iso('2026-11-21T12:00:00Z', 7 * DAY)).equal('2026-11-26T00:00:00.000Z')
  })
})
