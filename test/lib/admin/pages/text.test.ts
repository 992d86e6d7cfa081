import { expect } from 'chai'
import {
  boundText,
  memberOf,
  millisText,
  moneyCell,
  numberText,
  textOf,
  timeText,
} from '../../../../lib/admin/pages/text.ts'

describe('texts of pages', () => {
  it('show times, numbers, money and what is absent', () => {
    expect(timeText('2026-11-23T04:05:06.789Z')).equal('2026-11-23 04:05:06')
    expect([millisText(250.4), millisText(12_345)]).deep.equal(['250 ms', '12.3 s'])
    expect(boundText(512)).equal('≤ 512 ms')
    expect([numberText(1_234_567), numberText(1.256, 2)]).deep.equal(['1,234,567', '1.26'])
    expect(moneyCell(5000, { currency: 'EUR' }).toString()).match(/>50\.00 <span class="unit">EUR</)
    expect(moneyCell(null, { currency: 'EUR' })).equal('–')
    expect([textOf({ a: 1 }), textOf(0), textOf(false)]).deep.equal(['{"a":1}', '0', 'false'])
    for (const show of [timeText, millisText, boundText, numberText, textOf]) expect(show(null)).equal('–')
    expect([memberOf({ a: 1 }, 'a'), memberOf([1], '0'), memberOf(null, 'a')]).deep.equal([1, undefined, undefined])
  })
})
