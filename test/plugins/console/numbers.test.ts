import { expect } from 'chai'
import { balanceHtml, countText, timeText, windowText } from '../../../plugins/console/numbers.ts'

describe('numbers', () => {
  it('are shown as people read them', () => {
    expect([0, 1234567, null].map(countText)).deep.equal(['0', '1,234,567', '–'])
    expect(timeText('2026-11-21T10:07:33.123456Z')).equal('2026-11-21 10:07:33')
  })

  it('name the unit of a window', () => {
    expect(['1h', '24h', '30d', '90m'].map(windowText)).deep.equal(['1 hour', '24 hours', '30 days', '90 minutes'])
  })

  it('round a balance down to whole cents, so that it never seems to be more', () => {
    expect([1_999_999, -1].map(balance => balanceHtml(balance, 'EUR').toString())).deep.equal([
      '<span title="0.01999999 EUR">0.01 <span class="unit">EUR</span></span>',
      '<span title="-0.00000001 EUR">-0.01 <span class="unit">EUR</span></span>',
    ])
  })
})
