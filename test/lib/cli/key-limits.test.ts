import { expect } from 'chai'
import { limitsOf } from '../../../lib/cli/key-limits.ts'

describe('limits of a key on the command line', () => {
  it('are those that are given', () => {
    expect(limitsOf({})).equal(undefined)
    const values = {
      'requests-per-minute': '60',
      'tokens-per-minute': '90000',
      concurrency: '4',
      'budget-cents': ['12.5/30d'],
    }
    expect(limitsOf(values)).deep.equal({
      ...{ requests_per_minute: 60, tokens_per_minute: 90_000, concurrency: 4 },
      budget_cents: { amount: 12.5, window: '30d' },
    })
  })

  it('may have several budgets', () => {
    const budget_cents = [
      { amount: 5, window: '1h' },
      { amount: 100, window: '30d' },
    ]
    expect(limitsOf({ 'budget-cents': ['5/1h', '100/30d'] })).deep.equal({ budget_cents })
    const wrong = [
      ['5/24h', '9/1d'],
      ['1/1h', '1/2h', '1/3h', '1/4h', '1/5h'],
    ]
    for (const texts of wrong)
      expect(() => limitsOf({ 'budget-cents': texts }), texts.join()).throw('--budget-cents may be given 4 times')
  })

  it('are refused where they are none', () => {
    for (const value of ['0', '-1', '1.5', 'many', '1000001', ''])
      expect(() => limitsOf({ concurrency: value }), value).throw(
        '--concurrency must be a whole number from 1 to 1000000',
      )
    for (const value of ['500', '500/month', '0/1d', '/1d', '-5/1d', '5/1d/2d'])
      expect(() => limitsOf({ 'budget-cents': [value] }), value).throw('--budget-cents must be cents and a window')
  })
})
