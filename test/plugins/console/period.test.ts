import { expect } from 'chai'
import { daysOf, momentsOf, periodNamed } from '../../../plugins/console/period.ts'

const NOW = Date.parse('2027-01-15T13:30:00Z')
const text = (period: string) => {
  const { from, to } = momentsOf(periodNamed(period), NOW)
  return `${new Date(from).toISOString().slice(0, 16)} ${new Date(to).toISOString().slice(0, 16)}`
}

describe('period', () => {
  it('has complete days, and today if the period includes it', () => {
    expect(text('7d')).equal('2027-01-09T00:00 2027-01-16T00:00')
    expect(text('30d')).equal('2026-12-17T00:00 2027-01-16T00:00')
    expect(text('month')).equal('2027-01-01T00:00 2027-01-16T00:00')
    expect(text('last-month')).equal('2026-12-01T00:00 2027-01-01T00:00')
    expect(text('made up')).equal(text('30d'))
  })

  it('names its days', () => {
    const days = daysOf(momentsOf('last-month', NOW))
    expect([days.length, days[0], days.at(-1)]).deep.equal([31, '2026-12-01', '2026-12-31'])
  })
})
