import { expect } from 'chai'
import { type PeriodQuery, periodOf } from '../../../plugins/usage-reports/period.ts'
import { refusalOf } from '../../support/refusal.ts'

const NOW = Date.UTC(2026, 10, 21, 12, 30)
const DAY = 86_400_000_000
const midnight = Date.UTC(2026, 10, 1) * 1000

describe('usage period', () => {
  it('reaches back from now', () => {
    expect(periodOf({ period: '1d' }, NOW)).deep.equal({ from: NOW * 1000 - DAY, to: NOW * 1000 })
    expect(periodOf({ period: '7d' }, NOW).from).equal(NOW * 1000 - 7 * DAY)
    expect(periodOf({ period: '30d' }, NOW).from).equal(NOW * 1000 - 30 * DAY)
  })

  it('is a range of times, of whatever timezone', () => {
    const range = { start_at: '2026-11-01T02:00:00+02:00', end_at: '2026-11-02T00:00:00Z' }
    expect(periodOf(range, NOW)).deep.equal({ from: midnight, to: midnight + DAY })
  })

  it('reads days, and times without a timezone, as UTC', () => {
    for (const start_at of ['2026-11-01', '2026-11-01T00:00', '2026-11-01T00:00:00', '2026-11-01T00:00:00.000000']) {
      expect(periodOf({ start_at, end_at: '2026-11-02' }, NOW), start_at).deep.equal({
        from: midnight,
        to: midnight + DAY,
      })
    }
  })

  const refused: readonly (readonly [PeriodQuery, string])[] = [
    [{}, 'period'],
    [{ period: '1d', start_at: '2026-11-01' }, 'period'],
    [{ period: '1d', start_at: '2026-11-01', end_at: '2026-11-02' }, 'period'],
    [{ start_at: '2026-11-01' }, 'end_at'],
    [{ end_at: '2026-11-01' }, 'start_at'],
    [{ start_at: 'soon', end_at: '2026-11-01' }, 'start_at'],
    [{ start_at: '2026-11-01', end_at: '2026-11-31' }, 'end_at'],
    [{ start_at: '2026-11-02', end_at: '2026-11-01' }, 'end_at'],
    [{ start_at: '2026-11-01', end_at: '2026-11-01' }, 'end_at'],
    [{ start_at: '2025-01-01', end_at: '2026-11-01' }, 'start_at'],
    [{ start_at: '', end_at: '' }, 'start_at'],
  ]
  for (const [query, param] of refused) {
    it(`refuses ${JSON.stringify(query)}`, () => {
      expect(refusalOf(() => periodOf(query, NOW))).include({ code: 'http_400', status: 400, param })
    })
  }

  it('names the missing end', () => {
    expect(() => periodOf({ start_at: '2026-11-01' }, NOW)).throw('end_at is missing')
    expect(() => periodOf({ end_at: '2026-11-01' }, NOW)).throw('start_at is missing')
  })
})
