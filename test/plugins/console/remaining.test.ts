import { expect } from 'chai'
import { remainingStats } from '../../../plugins/console/remaining.ts'
import { textIn } from '../../support/operators.ts'

describe('what is left of an account', () => {
  const balance = (microcents: number) => remainingStats({ balance: microcents, quota: null, budgets: [] }, 'USD')[0]!

  it('is a balance, which is marked when it is used up', () => {
    expect(balance(500_000_000)).deep.include({ name: 'Balance', more: 'prepaid, left' })
    expect(balance(-370_000_000).more).equal('prepaid, used up')
    expect(balance(-370_000_000).value.toString()).match(/^<span class="error"><span title="-3\.70 USD">-3\.70 </)
  })

  it('is what the budgets of the plan have left, which is marked when it is used up', () => {
    const end = Date.parse('2026-11-22T00:00:00Z')
    const budgets = [100, 500, 700].map(used => ({ window: '1d', limit: 500, used, end }))
    const stats = remainingStats({ balance: null, quota: null, budgets }, 'USD', '/console/usage')
    expect(stats.map(({ name, value, href }) => [name, textIn(value.toString()), href])).deep.equal([
      ['Budget left', '4.00 USD', '/console/usage'],
      ['Budget left', '0.00 USD', '/console/usage'],
      ['Budget left', '0.00 USD', '/console/usage'],
    ])
    expect(stats.map(({ value }) => value.toString().includes('class="error"'))).deep.equal([false, true, true])
    expect(textIn(String(stats[0]!.more))).equal('of 5.00 USD until 2026-11-22 00:00:00')
  })

  it('is nothing for an account without a limit', () => {
    expect(remainingStats({ balance: null, quota: null, budgets: [] }, 'USD')).deep.equal([])
  })
})
