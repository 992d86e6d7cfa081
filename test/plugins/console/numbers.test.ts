import { expect } from 'chai'
import { balanceText, countText, durationText, moneyText, timeText } from '../../../plugins/console/numbers.ts'

describe('numbers', () => {
  it('are shown as people read them', () => {
    expect([0, 1234567, null].map(countText)).deep.equal(['0', '1,234,567', '–'])
    expect([0, 125.4321, 0.0123].map(moneyText)).deep.equal(['0.00', '1.25', '0.000123'])
    expect([3.4, 9999, 12_345, null].map(durationText)).deep.equal(['3 ms', '9999 ms', '12.3 s', '–'])
    expect(timeText('2026-11-21T10:07:33.123456Z')).equal('2026-11-21 10:07:33')
  })

  it('round a balance down to whole cents, so that it never seems to be more', () => {
    expect([1_999_999, -1].map(balanceText)).deep.equal(['0.01', '-0.01'])
  })
})
