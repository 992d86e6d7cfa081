import { expect } from 'chai'
import { budgetsOf, quotaOf, windowAt } from '../../../lib/limits/windows.ts'
import { configOf, MODEL } from '../../support/config.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('the windows of limits', () => {
  it('begin and end at boundaries in UTC', () => {
    const ends = (now: string, windowMs: number) => {
      const { from, to } = windowAt(Date.parse(now), windowMs)
      expect(to - from).equal(windowMs)
      return new Date(to).toISOString()
    }
    expect(ends('2026-03-29T01:59:59.999Z', DAY)).equal('2026-03-30T00:00:00.000Z')
    expect(ends('2026-03-29T00:00:00.000Z', DAY)).equal('2026-03-30T00:00:00.000Z')
    expect(ends('2026-03-28T23:59:59.999Z', DAY)).equal('2026-03-29T00:00:00.000Z')
    expect(ends('2026-03-29T13:37:00Z', HOUR)).equal('2026-03-29T14:00:00.000Z')
    // Weeks since the epoch begin on Thursdays.
    expect(ends('2026-11-21T12:00:00Z', 7 * DAY)).equal('2026-11-26T00:00:00.000Z')
  })

  it('of spend limits are one or several', () => {
    const daily = { amount: 5, window: '1d' }
    expect(budgetsOf({ budget_cents: daily })).deep.equal([{ ...daily, windowMs: DAY }])
    expect(
      budgetsOf({ budget_cents: [daily, { amount: 1, window: '1h' }] }).map(({ windowMs }) => windowMs),
    ).deep.equal([DAY, HOUR])
    expect(budgetsOf({})).deep.equal([])
  })

  it('of quotas are those of the plan, if it has one', () => {
    const config = configOf(`${MODEL}
plans:
  pro: { requests: { limit: 3, window: 1d } }
  free: {}
`)
    expect(quotaOf(config, 'pro')).deep.equal({ limit: 3, window: '1d', windowMs: DAY })
    for (const plan of ['free', 'toString', undefined]) expect(quotaOf(config, plan), plan).equal(undefined)
  })
})
