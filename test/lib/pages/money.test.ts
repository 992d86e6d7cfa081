import { expect } from 'chai'
import { moneyHtml, moneyText } from '../../../lib/pages/money.ts'

describe('amounts on pages', () => {
  it('are units with two digits and the currency, with the exact amount as title', () => {
    const shown = (cents: number, currency = 'USD') => moneyHtml(cents, currency).toString()
    expect(shown(485.994_4)).equal('<span title="4.859944 USD">4.86 <span class="unit">USD</span></span>')
    expect(shown(0.000001, 'EUR')).equal('<span title="0.00000001 EUR">0.00 <span class="unit">EUR</span></span>')
    expect(shown(123_456_700)).equal('<span title="1,234,567.00 USD">1,234,567.00 <span class="unit">USD</span></span>')
    expect(shown(-0.0027)).equal('<span title="-0.000027 USD">0.00 <span class="unit">USD</span></span>')
    expect(moneyText(485.994_4, 'USD')).equal('4.86 USD')
    expect(shown(0)).equal('<span title="0.00 USD">0.00 <span class="unit">USD</span></span>')
  })
})
