import { expect } from 'chai'
import { remainingStats } from '../../../plugins/console/remaining.ts'

describe('what is left of an account', () => {
  const balance = (microcents: number) => remainingStats({ balance: microcents, quota: null }, 'USD')[0]!

  it('is a balance, which is marked when it is used up', () => {
    expect(balance(500_000_000)).deep.include({ name: 'Balance', more: 'prepaid, left' })
    expect(balance(-370_000_000).more).equal('prepaid, used up')
    expect(balance(-370_000_000).value.toString()).match(/^<span class="error"><span title="-3\.70 USD">-3\.70 </)
  })

  it('is nothing for an account without a limit', () => {
    expect(remainingStats({ balance: null, quota: null }, 'USD')).deep.equal([])
  })
})
